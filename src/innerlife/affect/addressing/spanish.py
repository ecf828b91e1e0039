"""Spanish: "Escríbele a mi jefa: …", "dile a Ana que …"; tú and usted."""

from __future__ import annotations

import re
from typing import Final

from innerlife.affect.address import BEGINNING, WORD, Address, words

_THING: Final = r"(?:correo|mensaje|mail|e-?mail|whatsapp|carta|nota|respuesta|texto)"
_ASKED: Final = (
    r"(?:(?:oye|hola|vale|bueno|ahora|entonces|tambien|por favor|porfa)[,!]? )*"
    r"(?:¿? ?(?:puedes|podrias|me ayudas a|ayudame a|quiero que|necesito que) )?(?:por favor,? )?"
)

ADDRESS: Final = Address(
    lead=re.compile(
        rf"{BEGINNING}[¿¡]?{_ASKED}(?:"
        r"(?P<tell>di(?:le|les)|deci(?:le|les|rle|rles)|diga(?:le|les)"
        r"|cuenta(?:le|les)|cuente(?:le|les)|contar(?:le|les)|avisa(?:le|les)?|avise(?:le|les)|avisar(?:le|les)?"
        r"|recuerda(?:le|les)|recuerde(?:le|les))"
        rf"|(?:escrib[aei](?:le|les)?|escribir(?:le|les)?|mand[ae](?:le|les)?|mandar(?:le|les)?|envi[ae](?:le|les)?"
        rf"|enviar(?:le|les)?)(?: (?:un|una|este|esta|el siguiente)(?: \w+)? {_THING}| esto)?"
        r"|respond[ea](?:le|les)?|responder(?:le|les)?|contest[ae](?:le|les)?|contestar(?:le|les)?"
        r"|pregunt[ae](?:le|les)"
        rf"|(?:un |mi )?{_THING}) (?:(?:a|para)\s+(?=\w)|(?=al\b))"
    ),
    opens=re.compile(
        rf"(?P<whom>{WORD}(?: {WORD}){{0,4}}?)(?:,? diciendo(?:le|les)?| y di(?:le|les))?(?:"
        r":?\s*(?P<quote>[\"“«„])|(?P<colon>:(?!//)\s*)"
        r"|(?P<clause> que (?=\w))|(?P<bare>(?!)))"
    ),
    again=re.compile(r"\bque\b"),
    about=re.compile(
        r"\b(?:haz|hazlo|ponlo|dejalo|que (?:sea|suene)) (?:\w+ )?(?:cort|larg|formal|amable|educad|cordial|breve"
        r"|mas|menos|simple|clar)\w*"
        r"|\b(?:puedes|podrias|puede) (?:revisar|corregir|acortar|traducir|mejorar|reescribir|hacerlo|ponerlo)\w*"
        r"|(?:\A|(?<=[.!?\n]))\s*(?:revisa|corrige|acorta|traduce|mejora|reescribe|firma)\w*"
        r"|\b(?:que te parece|que opinas|esta bien asi|suena bien|asi esta bien)\b"
        r"|\by (?:luego )?(?:recuerdame|dime|dame|muestrame|ayudame|avisame|leeme)\b"
    ),
    articles=frozenset({"el", "la", "los", "las", "al"}),
    owners=frozenset({"mi", "mis", "nuestro", "nuestra", "nuestros", "nuestras"}),
    joins=frozenset({"y", "e", "de", "del", "la", "las", "los"}),
    around=words("sobre en con por para antes despues que quien cuando hoy manana ahora otra acerca"),
    nobody=words(
        "mano maquina archivo disco base consola pantalla terminal tabla lista notas nota diario cuaderno agenda"
        " calendario blog carpeta impresora salida registro derecha izquierda final principio lado margen comienzo"
        " inicio vez pregunta preguntas mensaje mensajes correo correos comentario comentarios encuesta mismo"
        " continuacion"
    ),
    unnamed=words("el ella ellos ellas alguien todos todas un una ese esa esos esas este esta"),
    head=0,
    courtesy=re.compile(
        r"\b(?:por favor|porfa|gracias(?! a\b)|agradezco|agradeceria|agradecid[oa]|disculp[ae]|perdon|perdon[ae]"
        r"|lo siento|lamento|con permiso|seria tan amable|si no es molestia|un (?:cordial )?saludo|saludos|atentamente"
        r"|de nada)\b"
    ),
    form="usted",
    near=re.compile(
        r"\b(?:tu|tus|te|ti|contigo|vos|tuy[oa]s?|puedes|podrias|tienes|quieres|eres|estas|sabes|crees|piensas|haces"
        r"|vas|dime|oye|mira|cuentame|ayudame|hazme|perdona|disculpa|avisame|mandame|enviame)\b"
    ),
    formal=re.compile(
        r"\b(?:usted|uds?\.|vds?\.|digame|oiga|disculpe|perdone|permitame|hagame|aviseme|mandeme|envieme|ayudeme"
        r"|le (?:escribo|ruego|agradezco|agradeceria|saluda|saludo|comunico|informo|pido|solicito)|estimad[oa]s?)(?!\w)"
    ),
    speaks=re.compile(
        r"\b(?:que|los|las|una|por|para|con|pero|muy|como|gracias|hola|usted|puedes|eres|quieres|estas|tienes|favor"
        r"|manana|hoy|del|mas|nos|yo|mi|le)\b"
    ),
    unsaid=re.compile(
        rf"{BEGINNING}[¿¡]?{_ASKED}(?:di|deci|diga|decir|escribi|escrib[ae]|escribir|cuent[ae]|contar|avis[ae]|avisar"
        r"|mand[ae]|mandar|envi[ae]|enviar|respond[ae]|responder|contest[ae]|contestar)les?(?: que\b|:| ?[\"“«])"
    ),
    spelt={"al": "el"},
)
