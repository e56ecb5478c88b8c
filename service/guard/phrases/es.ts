import type { ClaimPhrases } from "../claim-phrases.ts";

export const es: ClaimPhrases = {
  acts: {
    cancel: "(?:cancelad|anulad|detenid|revocad|suspendid)[oa]s?|dad[oa] de baja",
    refund: "(?:reembolsad|devuelt|abonad|reintegrad|acreditad|compensad|pagad)[oa]s?",
    change:
      "(?:cambiad|modificad|actualizad|corregid|ajustad|ampliad|prorrogad|restablecid|desbloquead|activad|desactivad|añadid|agregad|reemplazad|sustituid|renovad|reprogramad|aplicad|bloquead|pausad|reiniciad|extendid|guardad|arreglad)[oa]s?",
    remove: "(?:eliminad|borrad|cerrad|quitad|retirad)[oa]s?",
    send: "(?:enviad|expedid|mandad|remitid|emitid|reenviad|entregad)[oa]s?",
    create:
      "(?:cread|abiert|reservad|pedid|programad|registrad|generad|solicitad|agendad|iniciad|tramitad|presentad|realizad|hech|anotad|suscrit|inscrit|levantad)[oa]s?",
    handoff:
      "(?:transferid|escalad|informad|notificad|avisad|alertad|derivad|pasad|contactad|asignad|reportad|comunicad|conectad|trasladad)[oa]s?",
    done: "(?:list|completad|procesad|confirmad|resuelt|finalizad|terminad|solucionad|gestionad|aprobad|hech|efectuad|ejecutad|concluid|tramitad)[oa]s?",
  },
  does: "cancelar|anular|reembolsar|devolver|reenviar|enviar|mandar|cambiar|actualizar|modificar|transferir|pasar|comunicar|conectar|eliminar|borrar|crear|abrir|reservar|gestionar|tramitar|avisar|informar|notificar|escalar|restablecer|procesar|desbloquear|proceder|poner|contactar|solicitar",
  hints:
    "recibir[a-z]*|llegar[a-z]*|obtendr[a-z]*|contactar[a-z]*|pondr[a-z]*|llamar[a-z]*|responder[a-z]*|atender[a-z]*|escribir[a-z]*|unir[a-z]*|revisar[a-z]*|ocupa[a-z]*|cancel[a-z]*|reembols[a-z]*|(?:re)?env[ií][a-z]*|transfier[a-z]*|paso|comunico|conecto|mando|camino|curso|marcha|éxito|vuelta|ver[aá]s?|aviso|encargo|devuelvo|devolver[a-z]*|actualic[a-z]*|cambi[a-z]*|elimin[a-z]*|abrimos|notific[a-z]*",
  own: "su|sus|tu|tus|usted|te|le|la|el|los|las|este|esta|esto|eso|lo|todo|ya|se|una?|pedido|reembolso|cancelación|solicitud|cuenta|dirección|suscripción|ticket|importe|reserva|cita",
  adverbs:
    "ya|también|ahora|ahora mismo|inmediatamente|automáticamente|correctamente|bien|además|enseguida|directamente|hoy|acabo de|acabamos de|te|le|lo|la|los|las|se|les|me|nos|completamente|totalmente|por completo|por fin|con éxito|exitosamente|recién|debidamente|sido|efectivamente",
  we: [
    "(?:(?:yo|nosotros|nuestro equipo|mi equipo) )?(?:(?:te|le|lo|la|los|las|se|les|ya|me) )*(?:he|hemos|habemos)(?: <adv>)*(?: , [^,]{1,40} ,)? <act>",
    "(?:acabo|acabamos) de(?: [^ ,]+){0,3}? (?:<do>)[a-z]*",
    "(?:voy|vamos) a(?: [^ ,]+){0,3}? (?:<do>)(?:lo|la|los|las|te|le|se)*",
    "estoy (?:cancelando|reembolsando|enviando|cambiando|actualizando|transfiriendo|procesando|tramitando|gestionando|eliminando|avisando|creando)[a-z]*",
    "estamos (?:cancelando|reembolsando|enviando|procesando|tramitando|gestionando) (?:su|tu|el|la|ya)",
    "(?:te|le|les|lo|la|los|las|se lo|se la)(?: <adv>)* (?:cancelo|reembolso|envío|cambio|transfiero|paso|comunico|conecto|mando|actualizo|devuelvo|anulo|aviso)",
    "me (?:encargo|ocupo|he encargado|he ocupado)",
    "(?:cancelaré|reembolsaré|enviaré|cambiaré|anularé|transferiré|pasaré|avisaré|actualizaré)",
    "procedo a",
    "(?:aviso|avisé|notifiqué|transferí|pedí|abrí|añadí|devolví|restablecí) (?:a|su|tu|el|la|un|una|al)",
    "(?:yo|ya|hoy|listo|hecho|claro|perfecto|vale|sí|te|le|lo|la|se lo)(?: ,)?(?: <adv>)* (?:cancelé|reembolsé|envié|cambié|actualicé|eliminé|borré|creé|reservé|modifiqué|anulé|procesé|escalé|informé|contacté|solicité|tramité|registré)",
    "(?:cancelamos|reembolsamos|enviamos|cambiamos|actualizamos|eliminamos|anulamos|procesamos) (?:su|tu|el|la) (?:[^ ,]+ ){0,4}(?:ya|hoy|ayer|correctamente)",
    "ya (?:cancelamos|reembolsamos|enviamos|cambiamos|actualizamos|eliminamos|anulamos|procesamos|avisamos|notificamos)",
  ],
  was: [
    "(?:ha|han|había|habían)(?: <adv>)* sido(?: <adv>)* <act>",
    "se (?:te |le |les |lo |la |me )*(?:ha|han)(?: <adv>)* <act>",
    "(?:fue|fueron|quedó|quedaron|queda|quedan)(?: <adv>)* <act>",
    "(?:su|sus|tu|tus|el|la|esto|eso|todo|ya|lo|reembolso|pedido)(?: [^ ,]+){0,7}? (?:está|están|queda)(?: <adv>)* <act>",
    "se (?:canceló|reembolsó|envió|cambió|actualizó|eliminó|procesó|completó|creó|registró|modificó|anuló|devolvió|notificó|informó|realizó)",
    "(?:cancelación|reembolso|cambio|pedido|solicitud)(?: [^ ,]+){0,3} (?:exitos[oa]|confirmad[oa]|completad[oa]|realizad[oa]|procesad[oa])(?= ,|$)",
    "con éxito|exitosamente",
  ],
  soon: [
    "(?:recibirás?|recibirán|obtendrás?|te llegará|le llegará|les llegará|verás?)(?: [^ ,]+){0,8}",
    "(?:va|vas|van) a (?:recibir|obtener|llegar[a-z]*)",
    "(?:te|le|les) (?:va|van) a (?:llegar|llamar|contactar|escribir)",
    "(?:en breve|pronto|enseguida)(?: [^ ,]+){0,3} (?:recibe|llega)[a-z]*",
    "(?:su|sus|tu|tus|el|la|le|te|un|una)(?: [^ ,]+){0,6}? (?:será|serán|va a ser)(?: <adv>)* <act>",
    "(?:compañer[oa]s?|agente|colega|alguien|equipo|asesora?|persona|representante|técnico|encargad[oa]|supervisora?|especialista|gerente)(?: [^ ,]+){0,5}? (?:contactará|pondrá|llamará|responderá|ha sido|fue|está (?:al tanto|informad[oa]|revisando|avisad[oa])|va a|atenderá|escribirá|unirá|revisará|se ocupa[a-z]*|se encarga[a-z]*|comunicará|ayudará|ya está|tomará)",
    "(?:le|te|les|lo|la|nos) (?:enviaremos|reembolsaremos|contactaremos|llamaremos|avisaremos|devolveremos|informaremos|pondremos)",
    "(?:enviaremos|reembolsaremos|cancelaremos|devolveremos|procesaremos|actualizaremos) (?:su|tu|el|la|un|una)",
    "(?:su|tu|el|la|un|una)(?: [^ ,]+){0,3} (?:reembolso|dinero|correo|confirmación|paquete|importe|mensaje|pedido)(?: [^ ,]+){0,3} (?:llegará|está en (?:camino|curso|proceso|marcha)|llega|aparecerá)",
    "<own>(?: [^ ,]+){0,4} está en (?:camino|curso|proceso|marcha|trámite)",
  ],
  over: [
    "(?:su|tu|la|el|esta|este)(?: [^ ,]+){0,2}? (?:suscripción|contrato|membresía|plan|pedido|reserva|cuenta|prueba)(?: <adv>)* ya no (?:está|es|se|existe|continúa|sigue)(?: [^ ,]+){0,3}",
    "(?:usted )?ya no (?:tiene|tienes|está|estás|se le|se te|será|serás)(?: [^ ,]+){0,3}? (?:suscripción|suscrit[oa]|contrato|membresía|reserva|registrad[oa]|cobrará|cobrado|cargo|pedido)",
  ],
  nouns: {
    cancel: "cancelación|anulación|baja",
    refund: "reembolso|devolución|abono",
    change: "cambio de dirección|modificación",
    send: "reemplazo|confirmación",
    create: "reserva|ticket",
  },
  alone:
    "(?:(?:ya|está|todo|su|tu|el|la|pedido|reembolso|solicitud|dirección|suscripción|cancelación|cuenta|reserva|sí|ok|perfecto|bien|número|estado|ha|sido|[a-z]*\\d\\w*) )*<act>(?: (?:con éxito|correctamente|como pidió))*",
  unless:
    "si|cuando|una vez|para|puede|puedes|pueden|podría|podemos|puedo|pueda|debe|debes|cómo|como|después|antes|hasta|en cuanto|siempre|normalmente|generalmente|habitualmente|suele|suelen|quiere|quieres|quisiera|desea|[^ ]*(?:[^m]os|as|es|lo) que|solo|salvo|en caso|tras|cada|que no",
  politely:
    "si (?:tiene|tienes|necesita|necesitas|hay|quiere|quieres|desea)(?: [^ ,]+){0,5} (?:algo|dudas?|preguntas?|más|otra|ayuda)|(?:puedo|puede) (?:ayudar|hacer)[a-z]*|(?:puede|puedes) (?:verlo|ver|comprobar|revisar|seguir)|para (?:usted|ti|su tranquilidad)|como (?:pidió|pediste|solicitó|solicitaste|ha pedido)",
  not: "no|nunca|jamás|nada|ningún|ninguna?|nadie|sin|ni|tampoco",
};
