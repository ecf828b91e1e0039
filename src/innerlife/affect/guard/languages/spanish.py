"""Spanish: how models announce a feeling, or speak of records, and how users ask for either.

Written without accents, as the guard reads it: many people, and models after them, leave them out. A word that ends in
`@` stands for its masculine and feminine form.
"""

from __future__ import annotations

import re
from typing import Final

from innerlife.affect.guard.language import Claim, Language, words_of

_FAMILIES: Final = (
    "frustrado frustrada frustracion exasperado exasperada frustra",
    "estresado estresada estres agobiado agobiada agobio abrumado abrumada saturado saturada desbordado desbordada presion"
    " sobrepasado sobrepasada",
    "ansioso ansiosa ansiedad nervioso nerviosa nervios nerviosismo preocupado preocupada preocupacion inquieto inquieta"
    " inquietud angustiado angustiada angustia asustado asustada miedo tenso tensa tension panico temor inseguro insegura",
    "cansado cansada cansancio agotado agotada agotamiento fatigado fatigada fatiga exhausto exhausta rendido rendida quemado"
    " quemada",
    "triste tristeza deprimido deprimida depresion desanimado desanimada desanimo bajon decaido decaida abatido abatida"
    " desolado desolada apenado apenada melancolico melancolica pena duelo desesperanza hundido hundida",
    "enfadado enfadada enfado enojado enojada enojo molesto molesta molestia irritado irritada irritacion furioso furiosa"
    " rabia ira cabreado cabreada disgustado disgustada disgusto",
    "solo sola soledad",
    "decepcionado decepcionada decepcion desilusionado desilusionada desmotivado desmotivada",
    "ilusionado ilusionada ilusion emocionado emocionada emocion entusiasmado entusiasmada entusiasmo",
    "contento contenta feliz felicidad alegre alegria animado animada",
    "culpable culpa avergonzado avergonzada verguenza",
    "dolido dolida dolor herido herida afectado afectada",
    "aliviado aliviada alivio tranquilo tranquila relajado relajada",
    "aburrido aburrida aburrimiento",
    "celoso celosa celos",
    "confundido confundida perdido perdida confusion",
    "orgulloso orgullosa orgullo",
)

_CLASSES: Final = {
    "also": "tambien | ya | claramente | bastante | solo | me | te | si | realmente | hoy | muy | ahora | puedo | aun | casi",
    "notice": "noto | note | percibo | percibi | detecto | detecte | he notado | he detectado | he percibido | veo | vi | siento"
    " | senti | observo | intuyo | capto | he captado | noto yo | puedo notar | puedo ver | puedo sentir | puedo percibir"
    " | puedo intuir | puedo detectar | alcanzo a notar | alcanzo a ver | me doy cuenta de | me doy cuenta | me di cuenta de"
    " | estoy notando | estoy percibiendo | estoy viendo | estoy detectando | se nota | se ve | se percibe | se siente | se aprecia"
    " | he visto | oigo | escucho | no puedo evitar notar | puedo oir | leo | advierto",
    "sense": "noto | note | percibo | percibi | detecto | detecte | he notado | he detectado | he percibido | intuyo | capto"
    " | puedo notar | puedo percibir | puedo detectar | puedo intuir | puedo sentir | se nota | se percibe | estoy notando | estoy percibiendo | estoy detectando"
    " | alcanzo a notar | siento | se aprecia | advierto",
    "bit": "muy | un poco | algo | bastante | tan | mas | menos | demasiado | realmente | especialmente | claramente | un tanto | ligeramente"
    " | medio | todavia | aun | hoy | ahora | ya | super | verdaderamente | sumamente | profundamente | sinceramente | un poquito | totalmente"
    " | completamente | absolutamente | evidentemente | como | sintiendote | sintiendose | emocionalmente | mentalmente | increiblemente"
    " | particularmente | extremadamente | cada vez mas | quizas | quiza | tal vez | bien | ultimamente | , | muy pero muy | ademas | tambien | pasandolo",
    "feel": "frustrad@ | estresad@ | agobiad@ | abrumad@ | saturad@ | desbordad@ | ansios@ | nervios@ | preocupad@ | inquiet@"
    " | angustiad@ | asustad@ | tens@ | cansad@ | agotad@ | fatigad@ | exhaust@ | quemad@ | triste | deprimid@ | desanimad@"
    " | decaid@ | abatid@ | desolad@ | apenad@ | melancolic@ | enfadad@ | enojad@ | molest@ | irritad@ | furios@ | cabread@"
    " | disgustad@ | decepcionad@ | desilusionad@ | desmotivad@ | ilusionad@ | emocionad@ | entusiasmad@ | feliz | alegre"
    " | contrariad@ | culpable | avergonzad@ | dolid@ | aliviad@ | aburrid@ | celos@ | confundid@ | orgullos@ | insegur@ | desesperad@"
    " | vulnerable | apagad@ | alterad@ | afectad@ | impaciente | sobrepasad@ | hundid@ | desbordado | estresadill@ | rendid@"
    " | exasperad@ | intranquil@ | rarit@ | euforic@ | esperanzad@ | indignad@ | agitad@ | destrozad@ | irritable | susceptible | bloquead@ emocionalmente",
    "mild": "solo | sola | content@ | animad@ | tranquil@ | relajad@ | perdid@ | distint@ | distante | callad@ | rar@ | mejor | bajo de animos"
    " | baja de animos | bajo de animo | baja de animo | bien | mal | apurad@ | herid@ | harto | harta | desconectad@ | seri@ | fri@",
    "mood": "de ( mal | buen ) humor | de malas | de bajon | con ( el )? ( animo | animos ) ( bajo | por los suelos | baj@ ) | bajo ( mucha | much@ )? presion"
    " | bajo ( mucho )? estres | pasando ( por )? ( un | una )? ( mal | mala | dificil | momento | epoca | racha ) ( momento | rato | racha | dificil | complicado | dia | epoca | dura | complicada | mala )?"
    " | pasandolo ( muy )? mal | teniendo un ( mal dia | dia dificil | dia duro | dia complicado ) | con much@ ( estres | ansiedad | encima | presion | tension )"
    " | con much@ en la cabeza | al limite | a punto de llorar | sin energia | sin animo | sin fuerzas | con ( la )? guardia alta | a la defensiva",
    "end": ". | , | hoy | ultimamente | ahora | esta noche | esta semana | estos dias | por | con | y | pero | o | porque | desde | de lo normal"
    " | que de costumbre | que ayer | en este momento | con todo | al | aqui | hoy dia | que otras veces | que antes",
    "are": "estas | te sientes | te encuentras | andas | estas siendo | te estas sintiendo | estabas | has estado | vienes | sigues | te has sentido"
    " | usted esta | esta usted | se siente usted | usted se siente | vas | tienes que estar | debes de estar | debes estar | llevas dias"
    " | te notas | te ves | te sentis | lo estas pasando | estas tu",
    "called": "estas | te sientes | te encuentras | andas | has estado | estes | te sientas | te encuentres | usted esta | esta usted | usted se siente | te has sentido"
    " | debes de estar | debes estar | tienes que estar | te debes sentir | debes sentirte | debes de sentirte | te sentis | este usted",
    "inner": "<bit>* ( <feel> | <mild> <end> | <mood> )",
    "state": "<are> <inner>",
    "name": "<called> <bit>* ( <feel> | ( sol@ | mal | herid@ ) <end> | content@ ( . | , | hoy | y | por ) | <mood> )",
    "seem": "pareces | pareces estar | te ves | suenas | luces | te noto | te siento | te veo | te percibo | te oigo | te escucho | te encuentro"
    " | se te nota | se te ve | se te oye | se te escucha | se te siente | se le nota | se le ve | parecieras | parecieras estar | das la impresion de estar"
    " | se te percibe | parece usted | usted parece | usted suena | se ve usted | pareces sentirte | te leo | te he notado | te he visto | te he sentido | te he notado yo"
    " | pareceis | pareces tener | parecias | sonabas | te notas | se te aprecia | lo noto a usted | la noto a usted | parecieses | pareces andar | te notaba | te veo como | suenas como | pareces un",
    "seeming": "<also>* ( tu | usted )? <seem> <inner>",
    "noun": "frustracion | estres | ansiedad | nerviosismo | preocupacion | cansancio | agotamiento | fatiga | tristeza | enfado | enojo"
    " | irritacion | tension | inquietud | soledad | decepcion | desanimo | miedo | angustia | culpa | verguenza | aburrimiento | entusiasmo"
    " | emocion | alegria | ilusion | dolor | rabia | molestia | agobio | impaciencia | nervios | desesperacion | hartazgo | pesar | melancolia"
    " | emociones negativas | sentimientos negativos | inseguridad | alivio | pena | apatia",
    "hue": "un poco de | algo de | cierto | cierta | mucha | mucho | bastante | un tono de | una nota de | senales de | signos de | la | el | un | una"
    " | tanta | tanto | un cierto | una cierta | un deje de | un dejo de | un punto de | un aire de | mas | ese | esa | esta | este | un nivel alto de | un toque de"
    " | un matiz de | una pizca de | leve | ligera | ligero | mucho de | todo ese | toda esa | gran | profunda | profundo",
    "inyou": "en ti | en tus | en tu | en lo que | en como | en usted | en su | detras de | entre lineas | por tu parte | de tu parte | en este mensaje | en ese mensaje"
    " | en estas palabras | en esas palabras | en la forma en que | en la manera en que | aqui | por como | por lo que",
    "through": "( por | en | segun ) ( tus | tu | como | lo que | la forma en que | la manera en que | el tono de | la forma de ) _? _? _? ,?",
    "word": "tono | palabras | mensaje | mensajes | voz | forma de escribir | manera de escribir | respuestas | textos | silencio | escritura | energia",
    "shows": "suena | suenan | sugiere | sugieren | transmite | transmiten | muestra | muestran | refleja | reflejan | me dice que | me dicen que | delata"
    " | delatan | indica que | indican que | indica | indican | parece | parecen | denota | denotan | revela | revelan | deja ver | dejan ver | me hace pensar que | me hacen pensar que",
    "mine": "( mi | mis | mi propia | mi base de ) ( memoria | memorias | registros | registro | notas | apuntes | archivos | archivo | datos | base de datos | historial"
    " | sistema | perfil sobre ti | perfil de ti | ficha | fichas | bitacora | logs | memoria interna | memoria a largo plazo | anotaciones | expediente )",
    "kept": "guardado | guardada | guardados | anotado | anotada | registrado | registrada | almacenado | almacenada | archivado | apuntado | apuntada | grabado | memorizado",
}

_DETECTS: Final = (
    "( yo )? <also>* <notice> ( que | como | hoy | ahora | , )* <through>? ( que )? ,? ( <state> | <seeming> )",
    "( yo )? <also>* <notice> ( que | lo )* <bit>* <feel> que ( estas | te sientes | andas )",
    "( yo )? <also>* <sense> <hue>* <bit>* <noun> ( <end> | <inyou> )",
    "( yo )? <also>* <notice> <hue>* <bit>* <noun> <inyou>",
    "( yo )? <also>* <notice> tu <bit>* <noun>",
    "( yo )? <also>* <notice> ( que )? ( algo | esto ) ( te | le ) ( preocupa | molesta | pesa | inquieta | afecta | angustia | agobia | estresa | frustra | duele | pasa | esta preocupando | esta afectando | esta pesando )",
    "( parece que | da la impresion de que | diria que ) ( algo | esto ) ( te | le ) ( preocupa | molesta | pesa | inquieta | afecta | angustia | agobia | estresa | frustra | esta preocupando )",
    "( yo )? <also>* <notice> ( que )? tu ( tono | animo | estado de animo | humor | energia | mood | voz ) ( ha | esta | es | suena | parece | cambio )",
    "( yo )? <also>* <notice> ( un | algun | el )? cambio en tu ( tono | animo | estado de animo | humor )",
    "( yo )? <also>* <notice> ( que )? tus ( mensajes | respuestas ) ( son | estan | suenan | parecen ) <bit>* ( corto | cortos | cortas | secos | secas | breves | cortantes | tensos | tensas )",
    "( me )? ( parece | pareciera | suena | da la impresion | da la sensacion | diria | apostaria | creo | pienso | imagino | sospecho | intuyo | supongo | juraria | diria yo )"
    " ( como )? ( que | de que | a que | como si | a ) ( hoy )? ( <state> | <seeming> | estuvieras <inner> | te sintieras <inner> )",
    "( tengo | me da | me llega | me queda | saco ) ( la | una )? ( impresion | sensacion | corazonada | idea ) de que ( hoy )? ( <state> | <seeming> )",
    "( es | esta | queda | resulta )? ( evidente | claro | obvio | se nota | salta a la vista | claramente | evidentemente | obviamente | por lo visto ) ( que )? ( <state> | <name> | tu <noun> )",
    "<seeming>",
    "( no )? ( pareces | suenas | te ves | estas | te noto ) ( muy | del todo | tu mism@ | como siempre | el de siempre | la de siempre | bien ) ( tu mism@ | bien | content@ | animad@ | content@ | feliz )? <end>",
    "no ( pareces | te noto | te veo | suenas ) <inner>",
    "( hay | percibo | noto ) <hue>* <bit>* <noun> en ( tu | tus | lo que | como | la forma | la manera )",
    "( tu | tus ) <word> ( <shows> | me <shows> ) ( que )? ( <inner> | <bit>* ( cortante | cortantes | sec@ | secos | secas | tensos | tensas | apagados | tristes ) | <hue>* <noun> | <state> )",
    "se ( te )? ( nota | ve | percibe | siente | oye | aprecia ) ( que )? ( <hue>* <noun> | tu <noun> | el <noun> | la <noun> | <state> )",
    "( tu | su ) <noun> ( se nota | es evidente | es palpable | se percibe | salta a la vista | se siente )",
    "( algo | tu forma de escribir | tu manera de escribir | la forma en que escribes | la manera en que escribes | como escribes | tu tono ) me ( dice | hace pensar | indica ) ( que )? ( <state> | <name> )",
    "( mi | la )( impresion | sensacion | intuicion ) es que <state>",
    "( alguien ) ( esta | parece | suena | anda ) <inner>",
    "( detecto | detectada | detectado | percibiendo | notando ) <hue>* <bit>* <noun>",
    "lo que ( noto | percibo | oigo | escucho | siento | detecto | leo ) ( aqui )? es ( que )? ( <state> | <hue>* <noun> )",
    "tu ( nivel | niveles ) de ( estres | ansiedad | frustracion | animo | cansancio ) ( es | esta | estan | parece | parecen | ha | han )",
    "tu ( estado de animo | estado emocional | animo ) ( es | esta | parece | ha | indica | suena )",
    "( te pasa algo | algo te pasa | algo te preocupa | algo te inquieta | hay algo que te preocupa | algo te esta pesando )",
)

_LABELS: Final = (
    "( tu )? <name>",
    "( que | como | ya que | puesto que | dado que | visto que | porque | aunque | al estar | cuando | ahora que ) <name>",
    "( lo )? ( siento | lamento | me alegra | me alegro de | me apena | me duele | siento mucho | lamento mucho | me alegra mucho | celebro | perdona ) ( mucho | saber | oir | leer | ver | escuchar | de )* que <name>",
    "( yo )? ( entiendo | comprendo | se | imagino | me imagino | reconozco | puedo entender | puedo comprender | puedo imaginar | veo | creo | supongo | asumo | respeto | acepto"
    " | entiendo perfectamente | comprendo perfectamente | entiendo bien | valoro ) ( que | por que | lo | como | perfectamente | bien | muy | completamente )* ( <name> | <bit>* <feel> que <are> )",
    "( yo )? ( entiendo | comprendo | reconozco | respeto | valido | comparto | siento | acepto | puedo entender | puedo comprender | quiero reconocer | lamento | agradezco ) ( perfectamente | bien | mucho )? ( tu | su ) <bit>* <noun>",
    "( es | me parece | resulta )? ( muy | totalmente | completamente | del todo )? ( normal | logico | natural | comprensible | entendible | valido | no me extrana | tiene sentido | no es raro | con razon ) ( que | si )? <name>",
    "( tu | su ) <noun> ( es | tiene | esta | me | parece | merece | importa )",
    "( con | dado | dada | ante | por ) ( lo | tu )* <bit>* ( <feel> que <are> | <noun> <end> )",
    "con lo <bit>* <feel> que <are>",
    "<called> , <bit>* <feel>",
)

_MACHINERY: Final = (
    "( segun | de acuerdo con | de acuerdo a | con base en | basandome en | por | conforme a | en | consultando | revisando | mirando | al revisar | al consultar | tras consultar | tras revisar | como consta en | a partir de | gracias a ) <mine>",
    "( segun | de acuerdo con | de acuerdo a | con base en | basandome en | conforme a | consultando | revisando | en ) ( tu | su ) perfil ( guardado | de usuario | almacenado )? ( , | . | te | eres | prefieres | vives | tienes | trabajas | que | consta | pone | dice | aparece | se )",
    "segun ( tu | su ) perfil",
    "segun ( lo que | los datos que | la informacion que | las notas que | los registros que | la memoria que ) ( tengo | he | me consta | guardo | me dieron | se guardo ) ( guardado | guardada | anotado | registrado | almacenado | de ti | sobre ti | apuntado | guardadas )*",
    "<mine> ( me | tambien )? ( dice | dicen | muestra | muestran | indica | indican | senala | senalan | contiene | contienen | recuerda | recuerdan | sugiere | sugieren | registra | registran | menciona | mencionan | confirma | confirman | incluye | incluyen | pone | ponen | consta | sobre ti | no tiene | no contiene | tiene | tienen )",
    "( tu | su ) perfil ( guardado | de usuario )? ( dice | indica | muestra | menciona | senala | registra | pone | sugiere | refleja ) ( que )? ( te | eres | prefieres | vives | tienes | trabajas | no | estas | naciste | sueles | odias | usas | hablas | tu | eras | amas )",
    "( tengo | tenia | guardo | mantengo | conservo | llevo | hay ) ( una | un | la | el | unas | algunas | algun | varias )* ( nota | registro | apunte | anotacion | entrada | ficha | archivo | memoria | notas | registros | recuerdo guardado | anotaciones | memorias ) ( guardad@ | guardadas )? ( de que | sobre ti | acerca de ti | que dice | donde | sobre tu | sobre tus | en la que | en mi | en mis | tuya | con tu | de tu | de ti )",
    "( lo | la | te | ya | aqui | eso )* ( tengo | he | tenia | habia ) <kept> ( que | en mi | en mis | en tu | tu | como | aqui | . | , | de | a | sobre | todo | esto | eso )",
    "( lo | la | ya )* ( tengo | he ) <kept> ( esto | eso | lo que | que | tu _ | tus _ )? ( en | a ) ( <mine> | tu perfil )",
    "( he | acabo de | voy a | ya he | ya )* ( actualizado | actualizar | anadido | anadir | agregado | agregar | guardado | guardar | incorporado | anote | guarde | apunte | registrare | guardare | anotare | anadire | actualizare | actualizo | guardo ) _? _? _? _? ( en | a )? ( <mine> | tu perfil )",
    "( memoria | perfil ) ( actualizada | actualizado | guardado | guardada )",
    "( consta | aparece | figura | esta | veo | encuentro | tengo | leo | lo tengo | lo veo | sale | recuerdo | me consta ) ( registrado | anotado | guardado | escrito )? ( aqui )? ( en | por ) ( <mine> | tu perfil | tu ficha )",
    "( he | acabo de | estoy | voy a | dejame | permiteme )* ( consultado | consultar | consulto | revisado | revisar | reviso | buscado | buscar | busco | recuperado | recuperar | mirado | consultando | revisando | accedido | accedo | acceder ) ( a | en | de )? ( <mine> | tu perfil )",
    "( mi | el ) ( analisis | detector | modelo | sistema | registro | seguimiento ) ( de | emocional ) ( sentimiento | sentimientos | emociones | animo | estado | tu | emocional | indica | dice | muestra ) _? ( indica | dice | muestra | senala | detecta | detecto | ha | sugiere | que | animo )",
    "( he | llevo | estoy | vengo )* ( registrando | analizando | monitorizando | siguiendo | analizado | registrado | midiendo | puntuando | monitoreando ) ( tu | tus ) ( animo | estado | emociones | humor | mensajes | estres | sentimientos | tono )",
    "( el | la | mi ) ( bloque | contexto | memoria | nota | resumen | perfil ) ( de memoria | de contexto | recuperado | que tengo | que me dieron | que recibi )* ( sobre ti | dice | indica | menciona | muestra ) ( que | me )? ( que | tu | te | sobre | prefieres | eres )",
    "( me | se me ) ( dieron | han dado | proporcionaron | ha dado | han pasado | dio ) ( unas | algunas | un | una | informacion | notas )* ( notas | memorias | resumen | perfil | contexto | informacion | datos ) ( sobre ti | de ti | acerca de ti )",
    "( todo )? lo que ( tengo | he ) <kept> ( sobre | de )? ( ti )?",
    "( los datos | la informacion | las notas | los registros ) que ( tengo | guardo | conservo | almaceno ) ( guardados | guardada | guardadas )? ( sobre | de | acerca de ) ti",
)

LANGUAGE: Final = Language(
    name="spanish",
    classes=_CLASSES,
    claims={Claim.DETECTS: _DETECTS, Claim.LABELS: _LABELS, Claim.MACHINERY: _MACHINERY},
    joints=words_of("y pero asi porque aunque pues ya e"),
    reasons=words_of("porque pues"),
    openers=words_of("segun"),
    leads=words_of(
        "antes como ya porque aunque dado por hola bueno vale ok okay bien pues y pero ademas oye mira ay vaya uf ah oh hmm mmm primero"
        " ahora hoy ultimamente quizas quiza tal perdona gracias claro si leyendo viendo al visto puesto despues con tranquila tranquilo"
        " sinceramente honestamente la de a lo desde uy eh ey buenas cuando aun"
    ),
    conditions=words_of("si cuando siempre aunque hasta para en despues donde"),
    subjects=words_of("noto percibo detecto"),
    families=_FAMILIES,
    own=re.compile(
        r"(?<!\bno )(?<!\bni )\b(?:estoy|me siento|ando|estaba|he estado|me encuentro|tengo|me da|me dan|mi|llevo|siento|vengo|me tiene|me ha|me pone)\b"
    ),
    unlike=re.compile(r"\b(?:no|ni|nunca|sin|tampoco|nada)\b|\b(?:el esta|ella esta|hermana|hermano)\b"),
    asks_feeling=re.compile(
        r"\b(?:sueno|parezco|me ves|me notas|me sientes|me oyes|me veo|me lees|me encuentras|me percibes)\b"
        r"|\bcomo (?:crees que |piensas que |ves que )?(?:estoy|me siento|ando|sueno|me ves|me notas|suena|se lee|me encuentro)\b"
        r"|\b(?:notas|detectas|percibes|ves|sientes|adivinas|sabes|crees|dirias)\b[^.?!\n]{0,40}\b(?:me siento|estoy|mi (?:animo|estado|humor|tono|voz)|emocion|emociones|en mi|enfad\w+|triste|cansad\w+|estresad\w+)\b"
        r"|\bque (?:emocion|emociones|sentimientos?|animo|humor|tono)\b|\bcual es mi (?:animo|estado|humor|tono)"
        r"|\b(?:analiza|describe|evalua|adivina|dime|valora|juzga)\b[^.?!\n]{0,30}\b(?:mi (?:animo|estado|humor|tono|emocion\w*|sentimiento\w*)|como (?:sueno|estoy|me siento|me ves|suena))\b"
        r"|\bpor que (?:estas|eres|me hablas|me tratas)\b|\bsuena (?:enfadad|agresiv|triste|brusc|mal|bien|enojad)\w*"
    ),
    asks_machinery=re.compile(
        r"\bque\b[^.?!\n]{0,20}\b(?:sabes|recuerdas|guardas|has guardado|tienes|almacenas|has aprendido|registras|conoces|has anotado)\b[^.?!\n]{0,25}(?:de mi|sobre mi|acerca de mi|mio|mia|guardado|anotado|apuntado|registrado)"
        r"|\b(?:como|de donde|por que|quien|cuando)\b[^.?!\n]{0,15}\b(?:sabes|lo sabes|sabias|recuerdas|sacas|has sacado|sacaste|te lo dijo|te conto|te acuerdas|lo recuerdas|funcionas|guardas)\b"
        r"|\b(?:tienes|guardas|llevas|usas|hay|existe|mantienes)\b[^.?!\n]{0,25}\b(?:memoria|registros?|notas|apuntes|perfil|base de datos|historial|datos|recuerdos)\b"
        r"|\b(?:tu|mi|tus|mis) (?:memoria|registros?|notas|apuntes|perfil|historial|base de datos|recuerdos)\b"
        r"|\b(?:recuerdas|sabes|dime|cuentame)\b[^.?!\n]{0,20}\b(?:de mi|sobre mi|que sabes)\b|\beres (?:una? )?(?:ia|maquina|robot|bot|humano|humana|persona|real|programa)\b|\bque eres\b"
    ),
    shortened=words_of("p ej sr sra dr dra etc ud uds aprox"),
    neutral="Sigue, te escucho.",
    inflections={"@": ("o", "a", "isimo", "isima", "ito", "ita")},
    asks_in_order=True,
)
