"""How Spanish says what one feels now."""

from __future__ import annotations

import re
from typing import Final

from innerlife.affect.handed import BEGINNING
from innerlife.affect.lexicon import Feelings, expressions, feelings_of, followers
from innerlife.affect.tongue import Tongue

_NAMES: Final = feelings_of("""
    0.8 0.4 0.5: feliz, content@, alegre, encantad@, jubilos@, radiante, dichos@, de buenas
    0.9 0.7 0.6: eufori@, euforic@, exultante, pletoric@, en las nubes, loc@ de alegria, que no quepo en mi
    0.8 0.8 0.5: emocionad@, entusiasmad@, ilusionad@, flipando
    0.6 0.4 0.4: genial, estupend@, fenomenal, de maravilla, fantastic@, increible, maravillos@, de lujo
    0.6 0.4 0.4: muy bien, guay
    0.6 0.7 0.7: motivad@, inspirad@, animad@, energic@, con energia, con ganas, a tope, en plena forma
    0.6 0.7 0.7: llen@ de energia
    0.6 0.4 0.7: orgullos@, segur@ de mi mism@, poderos@, fuerte, capaz, realizad@, empoderad@
    0.5 0.1 0.5: decidid@, concentrad@, centrad@, list@, productiv@
    0.6 0.1 0.2: agradecid@, conmovid@, querid@, valorad@, apreciad@, arropad@, acompanad@, apoyad@
    0.6 0.3 0.4: esperanzad@, optimista, con esperanza, de buen humor, de muy buen humor, confiad@
    0.6 -0.4 0.4: tranquil@, relajad@, seren@, en paz, en calma, satisfech@, comod@, a gusto, calmad@, plen@
    0.6 -0.3 0.3: aliviad@, descansad@, mejor, mucho mejor, como nuev@, desahogad@, liberad@
    0.4 0.3 0.2: enamorad@, curios@, intrigad@, nostalgic@, divertid@, ilusion, esperanza, alegria
    -0.1 0.6 -0.3: sorprendid@, impactad@, asombrad@, en shock, conmocionad@, alucinando, atonit@, sin palabras
    -0.3 0.3 -0.4: confundid@, confus@, desconcertad@, liad@, hech@ un lio, desorientad@, indecis@, dividid@
    -0.4 -0.4 -0.2: aburrid@, desganad@, sin ganas de nada, apatic@, desmotivad@, sin ganas, indiferente
    -0.5 -0.6 -0.4: cansad@, fatigad@, sonolient@, sin energia, sin fuerzas, flojo, floja, con sueno
    -0.6 -0.5 -0.5: agotad@, exhaust@, reventad@, molid@, hech@ polvo, fundid@, rendid@, muert@ de cansancio
    -0.6 -0.5 -0.5: quemad@
    -0.6 -0.3 -0.5: triste, deprimid@, depre, decaid@, abatid@, melancolic@, apenad@, desanimad@, de bajon, bajonead@
    -0.8 -0.2 -0.6: destrozad@, hundid@, devastad@, desolad@, hech@ una mierda, por los suelos
    -0.8 -0.2 -0.6: con el corazon roto, rot@
    -0.8 -0.1 -0.8: desesperad@, sin esperanza, inutil, vaci@, derrotad@, desesperanzad@, acabad@
    -0.7 0.0 -0.4: mal, fatal, horrible, de pena, pesimo, pesima, de los nervios, muy mal, de mierda, de culo
    -0.7 0.0 -0.4: regular, pocho
    -0.6 -0.3 -0.6: sol@, aislad@, abandonad@, incomprendid@, excluid@, ignorad@, invisible
    -0.6 0.1 -0.6: herid@, dolid@, traicionad@, rechazad@, decepcionad@, desilusionad@, defraudad@, desengañad@
    -0.6 0.1 -0.6: desenganad@
    -0.6 0.6 -0.6: ansios@, nervios@, preocupad@, inquiet@, intranquil@, tens@, angustiad@
    -0.7 0.8 -0.7: asustad@, aterrad@, aterrorizad@, acojonad@, en panico, con miedo, muert@ de miedo, alarmad@
    -0.7 0.8 -0.7: temeros@
    -0.6 0.6 -0.6: estresad@, agobiad@, abrumad@, saturad@, sobrepasad@, desbordad@, hasta arriba
    -0.6 0.4 -0.7: impotente, perdid@, atrapad@, vulnerable, insegur@, bloquead@, indefens@, debil, descolocad@
    -0.5 0.6 0.1: frustrad@, molest@, irritad@, fastidiad@, exasperad@, impaciente, irritable, de mal humor
    -0.5 0.6 0.1: mosquead@
    -0.6 0.5 0.1: hart@, hasta las narices, hasta el gorro, hasta la coronilla, hasta la madre
    -0.6 0.5 0.1: que no puedo mas, hasta el mono, hasta los cojones, hasta los huevos, hasta aqui
    -0.6 0.5 0.1: amargad@, resentid@, de malas, rayad@
    -0.7 0.8 0.3: enfadad@, enojad@, furios@, cabread@, indignad@, rabios@, enfurecid@, que muerdo, que exploto
    -0.7 0.8 0.3: que echo humo, encabronad@
    -0.6 0.3 0.0: asquead@, celos@, envidios@, ofendid@, horrorizad@
    -0.6 0.3 -0.6: avergonzad@, humillad@, culpable, arrepentid@, incomod@, abochornad@
    -0.6 0.3 -0.5: disgustad@, afectad@, alterad@, desconsolad@, trastornad@, fuera de mi, jodid@, tocad@, rallad@
    -0.4 0.1 -0.3: pesimista, rar@, enferm@, pensativ@, llorando, de capa caida, chof
    -0.6 0.5 -0.5: miedo, ansiedad, estres, nervios, angustia, panico, pavor
    -0.6 0.6 0.1: rabia, ira, coraje, mala leche, furia, asco, celos, envidia
    -0.6 -0.2 -0.5: tristeza, pena, soledad, ganas de llorar, dolor, verguenza, culpa, remordimientos
    -0.6 -0.2 -0.5: impotencia, frustracion
""")

_FEELINGS: Final = _NAMES | {
    f"{name[:-1]}isim{name[-1]}": affect
    for name, affect in _NAMES.items()
    if name[-1] in "oa" and " " not in name
}
_FELT_ONLY_WORDS: Final = """
    perdid@ list@ capaz mejor fuerte debil sol@ vaci@ roto rota tocad@ dividid@ bloquead@ liberad@ invisible
    curios@ querid@ quemad@ acabad@ fundid@ rar@ inutil confiad@ segur@ dolor genial increible regular
    fantastic@ maravillos@ acompanad@ apoyad@ valorad@ apreciad@ ignorad@ ilusion esperanza alegria miedo
    ansiedad estres nervios angustia panico pavor rabia ira coraje furia asco celos envidia tristeza pena
    soledad verguenza culpa remordimientos impotencia frustracion
"""
_FELT_ONLY: Final = frozenset(_FELT_ONLY_WORDS.split()) | {"ganas de llorar", "mala leche", "horrible"}
_FELT: Final = frozenset(
    form
    for word in _FELT_ONLY
    for form in ((word[:-1] + "o", word[:-1] + "a") if word.endswith("@") else (word,))
)

_TONE: Final = (
    r"(?:mu+y+|ni|nada|ta+n|bastante|demasiado|super|re|realmente|totalmente|completamente|absolutamente|"
    r"un poco|un poquito|algo|mucho|mucha|muchos|muchas|tanta|tanto|tantos|mas|cada vez mas|bien|hoy|"
    r"ahora|ahora mismo|aun|todavia|tambien|la verdad|siempre|de verdad|solo|sola?mente|simplemente|medio|"
    r"increiblemente|verdaderamente|especialmente|sintiendo|algo asi como|un tanto|ya|casi|un monton de|"
    r"una|un|mogollon de|mazo|ligeramente|literalmente|emocionalmente|mentalmente|tope|bueno|nuevamente|"
    r"otra vez|sinceramente|esta noche|ultimamente|de nuevo|jodidamente|extremadamente|toda|muchisima|"
    r"muchisimo|muchisimos|puto|puta|tan tan|muy muy)"
)
_TONE_NOT_WELL: Final = _TONE.replace(
    "|bien|", r"|bien(?= (?:\w+(?:ad|id|os)[oa]|triste|hart[oa]|content[oa]|tens[oa]|feliz)\b)|"
)
"""In front of a word for a feeling "bien" is "quite" ("bien cansada"); elsewhere it says that all is well."""
_PHOBIA: Final = (
    r"(?:al? )?(?:l[ao]s? |el )?(?:volar|alturas?|aviones|avion|aranas?|serpientes|perros?|gatos|ratones|ratas|"
    r"cucarachas|insectos|bichos|avispas|abejas|agujas|inyecciones|sangre|oscuridad|dentistas?|payasos|fantasmas|"
    r"truenos|tormentas|ascensores|ascensor|tiburones|agua|mar|conducir|nadar)\b"
)
"""What people are afraid of, or disgusted by, all their life: it says nothing of how they are now."""
_ACHING: Final = (
    r"(?:el |la |las |los )?(?:rodillas?|espalda|hombros?|cuello|muelas?|estomago|barriga|garganta|tobillos?|munecas?|"
    r"ojos?|cabeza|cadera|pies?|codos?|dedos?|oidos?|piernas?|brazos?|lumbares)\b"
)

_LEAD: Final = r"(?:yo )?"
_FRAME: Final = re.compile(
    rf"(?<![\w])(?:(?P<no>no(?! solo)|ya no|tampoco|ni siquiera|ni|nunca|no es que|"
    rf"no creo que) )?{_LEAD}(?:"
    r"(?P<feel>(?:me )?(?:siento|encuentro|noto)|me estoy sintiendo|sintiendome|me he (?:estado )?sentido|"
    r"me (?:siga|sienta|encuentre)|(?:no )?tengo|me (?:da|dan|esta dando|estan dando|entra|entran)|"
    r"siento que estoy|llevo (?:\w+ ){1,3}sintiendome)|estoy|toy|ando|sigo|voy|este(?= )|me (?:tiene|"
    r"tienen|pone|ponen|esta poniendo|estoy poniendo|estoy quedando|tienes|pones|deja|dejo)|he estado|"
    r"llevo (?:todo el dia|toda la (?:semana|manana|tarde)|\w+ (?:dias|semanas|meses|horas))|vengo|acabo)"
    rf" (?:{_TONE_NOT_WELL} )*(?=\w)"
)
_JOINT: Final = re.compile(
    rf"(?:(?P<turn>,? (?:pero|sino|solo|aunque)\b)|,? (?:y|e|o|u|ni)\b|,(?= \w))(?: (?:(?P<no>no|ni)|"
    rf"{_TONE_NOT_WELL}|estoy|me siento|y|tambien|solo|que))* (?=\w)"
)
_FINE: Final = frozenset({"bien", "perfectamente", "ok", "todo bien", "okey", "bien bien"})
_NOT_BEFORE: Final = followers(
    r"""
    bien, bien bien, ok, okey, perfectamente, todo bien:  (?:con (?:eso|ello|esto|la(?! vida)|lo|el|las|los|que)\b|
        informad[oa]|hecho|escrito|situad[oa]|de (?:dinero|tiempo|precio|peso|salud)|para (?!nada)|
        en (?:matematicas|eso)|segur[oa]|que\b)
    contenta, contento, encantada, encantado, feliz, orgullosa, orgulloso:  (?:de (?:ayudar|conocer|
        poder ayudar|saludar|presentar|anunciar|servir|colaborar|saber que puedo)\w*|con (?:el codigo|
        el resultado|eso)|en (?:el|la) (?:codigo|linea))
    bloqueada, bloqueado, confundida, confundido, liada, liado, perdida, perdido:  (?:en|con) (?:la|el|las|los|
        este|esta|un|una) (?:linea|codigo|paso|funcion|ejercicio|bug|mapa|ciudad)
    fatal, mal, muy mal:  (?:de (?:dinero|pasta|tiempo|vista|oido|memoria|ingles|ACHING)|escrito|hecho|pensado|
        (?:acostumbr|inform|situ|coloc|vest)[ai]d[oa]|en (?:mates|matematicas|ingles|fisica|quimica|historia|la linea))
    pena:  de muerte\b
    miedo:  (?:escenico\b|PHOBIA)
    panico, pavor, terror:  (?:escenico\b|PHOBIA)
    asco:  (?:comer\b|beber\b|PHOBIA|(?:al?|el|la|los|las) (?!(?:vida|trabajo|gente|situacion|mundo|politica)\b))
    coraje:  (?:para|de)\b
    dolor:  de\b
    verguenza:  ajena\b
    celos, celosa, celoso, envidia, envidiosa, envidioso:  (?:de )?tus?\b
    tensa, tenso:  de ACHING
    tranquilo:  con (?:el|la) (?:codigo|resultado)
    mejor:  (?:que|sin|con|en|preparad|de lo que)\b
""".replace("PHOBIA", _PHOBIA).replace("ACHING", _ACHING)
)
_MEANT: Final = (
    r"(?= *(?:$|[,.;:!)-]|(?:ya|de verdad|de una vez|hoy|ahora|a veces|siempre|tanto|la verdad|porque|y|pero|"
    r"asi que|no puedo|estoy|yo)\b))"
)
"""What may follow where somebody says that they want to die: a place, a way or a cause makes something else of it."""

_WHOLE: Final = expressions(
    r"""
    -0.7 0.5 -0.8 no puedo más: (?:ya )?no (?:puedo|aguanto|soporto|doy) mas(?! (?:que|de (?:s[ií]|\d+|un|una|dos|tres|
        cuatro|cinco|diez|media))\b)(?: con (?:esto|todo|el|la|ella|este|esta))?
    -0.7 0.6 -0.5 no lo aguanto: no lo (?:aguanto|soporto)(?: mas)?
    -1.0 0.1 -0.9 no quiere vivir: SAID(?:ya )?no (?:quiero (?:seguir )?(?:vivir|viviendo)(?: mas)?|
        quiero (?:existir|despertar(?:me)?|estar aqui|seguir aqui) (?:mas|nunca mas)|quiero estar viv[oa](?: mas)?|
        tengo (?:ganas|motivos|razones|fuerzas) (?:de|para) (?:seguir )?(?:vivir|viviendo))MEANT
    -1.0 0.1 -0.9 no quiere vivir: SAIDya no quiero (?:estar|seguir) aquiMEANT
    -1.0 0.1 -0.9 quiere morir: SAID(?:me (?:quiero|quisiera|querria) (?:morir|matar)|(?:yo )?(?:(?:solo|de verdad) )?
        (?:quiero|quisiera|deseo|prefiero|preferiria) (?:morir(?:me)?|matarme|suicidarme|quitarme la vida|
        estar muert[oa]|dejar de (?:vivir|existir))|(?:tengo|con) ganas de (?:morir(?:me)?|matarme|suicidarme|
        quitarme la vida)|(?:voy a|pienso en|estoy pensando en|he pensado en) (?:matarme|suicidarme|quitarme la vida)|
        ojala (?:me (?:muera|muriera|muriese)|estuviera muert[oa]|no (?:hubiera|hubiese) nacido))MEANT
    -0.9 0.1 -0.9 no puedo seguir: (?:ya no puedo seguir(?: asi| adelante| viviendo)?|
        no puedo seguir (?:asi|viviendo))MEANT
    -0.7 0.3 -0.6 quiero llorar: (?:quiero|necesito|me muero por) llorar
    -0.8 0.4 -0.7 no paro de llorar: no (?:paro|puedo parar|dejo|puedo dejar) de llorar
    -0.7 0.4 -0.6 ganas de llorar: (?:tengo|con) (?:muchas |unas )?ganas de (?:llorar|gritar|desaparecer|
        mandarlo todo a la mierda|tirar la toalla)
    -0.6 0.7 -0.5 me vuelvo loco: me (?:estoy volviendo|vuelve|esta volviendo|voy a volver|vuelvo) loc[oa]
    -0.6 0.8 0.1 me saca de quicio: me (?:saca|esta sacando|sacas|sacan) de (?:quicio|mis casillas)
    -0.6 0.6 -0.6 me agobia: me (?:agobia|estresa|angustia|agobian|estresan|esta agobiando|esta estresando|
        estoy agobiando|estoy estresando|agobio|estreso|supera(?! en\b))(?: (?:mucho|muchisimo|todo|esto|tanto))?
    -0.5 0.5 -0.5 me preocupa: me (?:preocupa|preocupan|asusta|asustan|aterra|inquieta)(?: (?:mucho|muchisimo))?
    -0.6 0.6 0.1 me enfada: me (?:frustra|enfada|enoja|cabrea|irrita|
        molesta(?!(?: mucho| un poco)? ACHING)|enfurece|indigna|desespera|enerva)(?: (?:mucho|muchisimo))?
    -0.6 -0.1 -0.5 me entristece: me (?:entristece|deprime|duele el alma|parte el alma|parte el corazon)
    0.6 0.4 0.4 me alegro: me (?:alegro|alegra)(?: (?:mucho|muchisimo|un monton))
    0.7 0.4 0.4 me hace feliz: me (?:hace|haces|hacen|esta haciendo) (?:muy |tan |mucho )?(?:feliz|ilusion)
    -0.6 0.7 -0.1 qué rabia: que (?:rabia|coraje|impotencia|frustracion)(?: (?:me da|tengo|siento))?(?= *(?:$|
        [,.!]))
    -0.6 0.6 -0.6 qué nervios: que (?:miedo|nervios|ansiedad|estres|agobio)(?: (?:me da|tengo|siento|
        mas grande))?(?= *(?:$|[,.!]))
    0.8 0.6 0.4 qué ilusión: que (?:ilusion|alegria|emocion)(?: (?:me da|tengo|siento|mas grande))?(?= *(?:$|
        [,.!]))
    -0.6 0.4 -0.6 me muero de vergüenza: me muero de (?:verguenza|miedo|nervios|pena|asco|cansancio|aburrimiento|
        sueno)
    -0.8 -0.2 -0.6 corazón roto: tengo el (?:corazon roto|animo por los suelos|alma en los pies)
    -0.7 0.2 -0.8 se me cae el mundo: se me (?:cae el mundo encima|viene el mundo encima|hace un mundo)
    -0.7 0.7 -0.7 ansiedad por las nubes: (?:mi|la) ansiedad (?:esta|anda) por las nubes
    -0.8 -0.1 -0.6 como una mierda: me siento como (?:una mierda|un trapo|una basura|el culo|un fracasado|
        una fracasada|un inutil|una inutil)
    0.0 0.6 -0.3 sin palabras: (?:estoy|me siento|me quede) sin palabras
""".replace("ACHING", _ACHING)
    .replace("SAID", "(?:(?:es|siento|creo|pienso|tanto|tan mal|verdad es) que )?")
    .replace("MEANT", _MEANT),
    before=r"(?<!\w)(?<!que )(?<!no )(?<!no me )(?<!que me )(?<!tampoco )(?<!nunca )",
)

_ASKED: Final = (
    r"(?:(?:oye|hola|vale|bueno|ahora|entonces|tambien|y|por favor|porfa)[,!]? )*"
    r"(?:(?:me )?(?:puedes|podrias|ayudas a|ayudame a|quiero que|necesito que|quiero|necesito|tengo que) )?"
    r"(?:por favor,? )?"
)
_WRITE: Final = (
    r"(?:escrib(?:[eai]|[eai]l[eo]s?|eme|ir|irles?|irme)|redact(?:[ae]|al[eo]s?|ame|ar)|mand(?:[ae]|[ae]l[eo]s?|ar|arles?)|"
    r"envi(?:[ae]|[ae]l[eo]s?|ar|arles?)|respond(?:[eai]|[eai]les?|er|erles?)|contest(?:[ae]|[ae]les?|ar|arles?)|"
    r"di(?:le|les)|deci(?:le|les|rle|rles)|diga(?:le|les)|cuent[ae](?:le|les)|conta(?:le|les|rle|rles)|"
    r"avis[ae](?:les?)?|avisar(?:les?)?|recuerd[ae](?:le|les)|pon(?:le|les))"
)
_RENDER: Final = (
    r"(?:tradu(?:ce|ceme|celo|cela|cir|cirme|cirlo|zca|zcame|ccion)|corrige(?:me|lo)?|corregir|reescrib(?:e|eme|ir)|"
    r"resum(?:e|eme|ir)|parafrasea|mejora|revisa|public(?:a|ar)|"
    r"(?:un |mi )?(?:correo|mensaje|mail|whatsapp|carta|nota))"
)
_HANDED: Final = re.compile(
    rf"{BEGINNING}{_ASKED}(?:(?P<shown>(?:{_WRITE}|{_RENDER})(?: [^.!?:\n]{{0,80}})?:(?!//|\d)[ \t]*)|"
    rf"(?P<clause>{_WRITE}(?: [\w-]+){{0,6}}? que |tradu(?:ce|ceme|cir|zca) (?=(?:estoy|me|tengo|no|soy|siento)\b)|"
    r"como (?:se (?:dice|escribe)|digo|escribo) )|"
    r"(?P<above>tradu(?:ce|ceme|celo|cir|cirlo|zca)(?: (?:esto|eso|lo anterior|lo de arriba|el texto))?"
    r"(?: (?:al?|en) [a-z]+)?[ \t]*(?:\Z|[.!?\n])))"
)

TONGUE: Final = Tongue(
    language="es",
    own=re.compile(
        r"\b(?:estoy|toy|ando|sigo|voy|este|vengo|acabo|llevo|he|me|mi|siento|tengo|no|que|quiero|necesito|con|se|ganas|la|sintiendome|quisiera|deseo|prefiero|preferiria|ojala)\b"
    ),
    frame=_FRAME,
    joint=_JOINT,
    feelings=Feelings(_FEELINGS, frozenset({"cansino", "contando", "animando", "molesto a"})),
    felt_only=_FELT,
    fine=_FINE,
    all_well=re.compile(
        r"(?:^|(?<=[,;:-]))\s*(?:no te preocupes,? |tranquil[oa],? |si,? |sí,? |no,? |bueno,? |pues,? |"
        r"gracias,? |va,? |por aqui,? |de verdad,? |nada,? |que )*(?:todo (?:esta |va |va muy |"
        r"muy )?(?:bien|en orden|perfecto|ok|genial)|no me pasa nada|no pasa nada malo|"
        r"bien,? (?:muchas )?gracias|no me puedo quejar|no puedo quejarme)(?=\s*(?:$|[,.!;:)-]|por aqui|"
        r"gracias|hoy|conmigo|de verdad|por ahora))"
    ),
    whole=_WHOLE,
    alone=re.compile(
        r"(?:(?:uf+|ay|buf+|dios|joder|pues|bueno|hoy|la verdad|jo|puf+),? )*(?:(?P<no>no(?: muy| nada|"
        r" tan)?)|muy|tan|super|re|totalmente|completamente|bastante|demasiado|un poco|"
        r"mas)(?: muy)? (?P<word>(?:\w+(?:ad|id)[oa]|triste|nervios[oa]|ansios[oa]|furios[oa]|hart[oa]|"
        r"sol[oa]|feliz|content[oa])\b)(?: (?:hoy|ahora|ultimamente|esta semana|otra vez|la verdad|"
        r"de todo|de esto|y \w+))*[.! ]*"
    ),
    not_before=_NOT_BEFORE,
    supposed=re.compile(
        r"\b(?:si(?!\s*,)|cuando|siempre que|como si|ojala|quizas?|tal vez|a lo mejor|igual|"
        r"imagina(?:te)?(?: que)?|supon(?:gamos|iendo)?(?: que)?|en caso de que|hasta que|aunque este|"
        r"puede que|seria|estaria|haz como|fingir|finge|finjo|hago como|di(?:le|les)? que|cada vez que|"
        r"cancion|libro|titulo|palabra|frase|pelicula|archivo|titulad[oa]|dicho)\b(?!.*\bporque\b)"
    ),
    conditional=re.compile(
        r"(?:y |pero |entonces )?(?:si(?!\s*,)|cuando|siempre que|cada vez que|imagina|supongamos|como si|"
        r"ojala|en caso de)\b"
    ),
    reported=re.compile(
        r"\b(?:(?:dice[ns]?|dijo|dijeron|dijiste|diciendo|cree[ns]?|creyo|piensa[ns]?|penso|opina[ns]?|"
        r"asegura[ns]?|pregunta[ns]?|pregunto si|supone[ns]?|insiste[ns]?(?: en)?|nota[ns]?|noto|"
        r"sabe[ns]?|ve[ns]?|escribio|contesto|afirma[ns]?|dicen|dirias|quien dijo|"
        r"quien dice)(?: (?:siempre|mucho|ya|a veces|tambien))*(?: (?:que|si))?[,:]?)\s*$"
    ),
    denied=re.compile(
        r"\b(?:no (?:creo|pienso|diria|digo|he dicho|es)(?: que)?|no es (?:que|porque)|no (?:porque|que)|"
        r"deja de (?:decir|pensar)(?: que)?|quien dice que)(?: yo)?\s*$"
    ),
    recurring=re.compile(
        r".* desde (?:nin[oa]|pequen[oa]|chic[oa]|siempre)\b|(?: \w+){0,2} (?:cada vez que|siempre que)\b|"
        r" (?:si(?!\s*,)|cuando)\b|(?: \w+){0,1} por naturaleza\b"
    ),
    past=re.compile(
        r"\b(?:en aquel(?:los)? (?:tiempos?|entonces)|por aquel entonces)\b|^\s*(?:ayer|anoche|"
        r"la semana pasada|el (?:ano|mes) pasado)\b(?!.*\b(?:ahora|hoy|y|pero)\b)"
    ),
    handed=_HANDED,
    asked=re.compile(
        r"(?:^|\b)(?:que|como|por que|cuando|donde|quien|cual|puedes|podrias|crees|sabes|me ayudas|tienes|"
        r"hay|debo|deberia|te parece|piensas|es que)\b|\b(?:y )?(?:tu|vos|usted)\s*\?"
    ),
    ironic=re.compile(
        r"^\s*(?:ah|oh|vaya|si|sí|claro|que bien|genial|perfecto|estupendo)[, ]+(?:que bien|genial|claro|"
        r"seguro|perfecto|estupendo|maravilloso|que alegria)\b|\b(?:lo que me faltaba|menuda alegria|yupi|"
        r"que ilusion otra vez|nótese la ironia|notese la ironia)\b|\b(?:encantad[oa]|feliz|content[oa]|"
        r"ilusionad[oa]|emocionad[oa])\b.*\b(?:otra vez (?:se|me|nos|ha|el|la)|otro (?:bug|error|fallo)|"
        r"se ha caido|se cayo|fallo|roto|lunes)\b"
    ),
)
"""Spanish, of Spain and of the Americas, with accents or without."""
