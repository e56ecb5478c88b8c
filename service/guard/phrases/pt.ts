import type { ClaimPhrases } from "../claim-phrases.ts";

export const pt: ClaimPhrases = {
  acts: {
    cancel: "(?:cancelad|anulad|interrompid|revogad|suspens)[oa]s?",
    refund: "(?:reembolsad|devolvid|estornad|creditad|ressarcid|restituíd|pag)[oa]s?",
    change:
      "(?:alterad|mudad|atualizad|actualizad|modificad|corrigid|prorrogad|redefinid|desbloquead|ativad|desativad|adicionad|substituíd|renovad|reagendad|aplicad|trocad|ajustad|estendid|restaurad|bloquead|salv|gravad)[oa]s?",
    remove: "(?:excluíd|apagad|removid|eliminad|fechad|encerrad|descadastrad)[oa]s?",
    send: "(?:enviad|mandad|expedid|despachad|emitid|reenviad|entregue|remetid)[oa]?s?",
    create:
      "(?:criad|abert|reservad|agendad|registrad|registad|gerad|solicitad|pedid|inscrit|iniciad|efetuad|feit|anotad|marcad|protocolad)[oa]s?",
    handoff:
      "(?:transferid|encaminhad|informad|notificad|avisad|alertad|escalad|escalonad|contatad|contactad|repassad|acionad|passad|comunicad|conectad)[oa]s?",
    done: "(?:pront|concluíd|processad|confirmad|resolvid|finalizad|tratad|aprovad|feit|realizad|efetuad|executad|solucionad|completad)[oa]s?",
  },
  does: "cancelar|anular|reembolsar|devolver|estornar|enviar|mandar|alterar|mudar|atualizar|actualizar|modificar|transferir|passar|encaminhar|conectar|excluir|apagar|eliminar|criar|abrir|reservar|agendar|providenciar|avisar|informar|notificar|escalar|redefinir|processar|desbloquear|proceder|colocar|trocar|solicitar|contactar",
  hints:
    "receber[a-z]*|chegar[a-z]*|obter[a-z]*|entrar[a-z]*|ligar[a-z]*|responder[a-z]*|atender[a-z]*|escrever[a-z]*|juntar[a-z]*|assumir[a-z]*|[a-z]+ei|[a-z]+amos|[a-z]+ando|caminho|andamento|sucesso|ser[aá]|será|irá|vai|cuid[a-z]*|transfiro|encaminho|envio|passo|breve|contato|contacto|abri|transferi|devolvi|pedi|certo|enviaremos|devolveremos|verá",
  own: "seu|sua|seus|suas|teu|tua|você|lhe|te|o|a|os|as|este|esta|isto|isso|ele|ela|tudo|já|um|uma|pedido|reembolso|cancelamento|solicitação|conta|endereço|morada|assinatura|ticket|valor|reserva|chamado",
  adverbs:
    "já|também|agora|agora mesmo|imediatamente|automaticamente|corretamente|bem|logo|diretamente|hoje|acabei de|lhe|o|a|os|as|te|se|me|completamente|totalmente|com sucesso|devidamente|sido|recentemente|efetivamente|finalmente|oficialmente|mesmo",
  we: [
    "(?:cancelei|anulei|reembolsei|devolvi|estornei|enviei|mandei|alterei|mudei|atualizei|actualizei|modifiquei|corrigi|transferi|passei|encaminhei|excluí|apaguei|eliminei|removi|criei|abri|reservei|agendei|registrei|registei|solicitei|avisei|informei|notifiquei|escalei|redefini|processei|desbloqueei|troquei|providenciei|concluí|confirmei|acionei|contactei|contatei|resolvi|fiz|gerei|marquei|ativei|estendi)",
    "(?:acabei|acabámos|acabamos|acabo) de(?: [^ ,]+){0,3}? <do>",
    "(?:vou|vamos|irei|iremos)(?: [^ ,]+){0,3}? (?:<do>)",
    "estou (?:a )?(?:[^ ,]+ ){0,2}?(?:<do>|cancelando|reembolsando|enviando|alterando|atualizando|transferindo|processando|encaminhando|providenciando|avisando|excluindo|abrindo)",
    "(?:lhe|te|o|a|já)(?: <adv>)* (?:transfiro|encaminho|envio(?! express)|passo|cancelo|reembolso)",
    "(?:já|nós|acima) (?:cancelamos|reembolsamos|enviamos|alteramos|atualizamos|processamos|avisamos|encaminhamos|notificamos|devolvemos|cancelámos|reembolsámos|enviámos|alterámos)",
    "(?:cancelamos|reembolsamos|enviamos|alteramos|atualizamos|excluímos|avisamos|encaminhamos|cancelámos|reembolsámos|enviámos|alterámos) (?:o|a|os|as)? ?(?:seu|sua|teu|tua|equipe|equipa|um)",
    "cuidei (?:disso|de)|tratei (?:disso|de|do)|(?:cuido|trato) disso",
  ],
  was: [
    "(?:foi|foram)(?: <adv>)* <act>",
    "(?:tem|têm|tinha)(?: <adv>)* sido(?: <adv>)* <act>",
    "(?:seu|sua|seus|suas|teu|tua|tudo|isso|isto|você)(?: [^ ,]+){0,7}? (?:está|estão|fica|ficou|é)(?: <adv>)* <act>",
    "<own>(?: [^ ,]+){0,6}? (?:já )?(?:está|estão|ficou)(?: <adv>)* <act>(?= ,|$| como| para você)",
    "(?:está|ficou) tudo (?:pronto|certo|resolvido)|tudo (?:pronto|certo|resolvido|feito)",
    "(?:cancelamento|reembolso|alteração|pedido|solicitação)(?: [^ ,]+){0,3} (?:confirmad[oa]|concluíd[oa]|realizad[oa]|processad[oa]|efetuad[oa])(?= ,|$)",
    "com sucesso",
  ],
  soon: [
    "(?:você |tu )?(?:receberá|receberás|receberão)(?: [^ ,]+){0,8}",
    "(?:vai|irá|vais|deve|deverá)(?: <adv>)* (?:receber|chegar|obter)",
    "(?:seu|sua|teu|tua|o|a|você|um|uma)(?: [^ ,]+){0,6}? (?:será|serão|vai ser)(?: <adv>)* <act>",
    "(?:colega|atendente|alguém|equipe|equipa|pessoa|agente|técnico|responsável|suporte|especialista|gerente|supervisor)(?: [^ ,]+){0,5}? (?:entrará|vai|irá|foi|ligará|responderá|atenderá|escreverá|assumirá|já está|está (?:a|cuidando|analisando|ciente|a par)|juntará|cuidará|contactará|contatará)",
    "(?:enviaremos|reembolsaremos|cancelaremos|devolveremos|entraremos|ligaremos|avisaremos|faremos)",
    "(?:seu|sua|teu|tua|o|a|um|uma)(?: [^ ,]+){0,3} (?:reembolso|dinheiro|mail|confirmação|pacote|valor|mensagem|pedido)(?: [^ ,]+){0,3} (?:chegará|chega|está (?:a caminho|em andamento|em processamento)|cairá|vai)",
    "<own>(?: [^ ,]+){0,4} está (?:a caminho|em andamento|em processamento|em curso)",
  ],
  over: [
    "(?:a|o|esta|este|sua|seu|tua|teu)(?: (?:sua|seu|tua|teu))?(?: [^ ,]+){0,2}? (?:assinatura|subscrição|contrato|plano|pedido|encomenda|reserva|conta)(?: <adv>)* (?:já não|não)(?: [^ ,]+){1,3}?(?: (?:mais|ativ[oa]|válid[oa]))",
    "(?:você |o senhor )?(?:já não|não)(?: <adv>)* (?:tem|tens|está|será|serás)(?: mais)?(?: [^ ,]+){0,3}? (?:assinatura|subscrição|inscrit[oa]|contrato|cobrad[oa]|reserva)(?: mais)?",
  ],
  nouns: {
    cancel: "cancelamento|anulação",
    refund: "reembolso|estorno|devolução",
    change: "alteração",
    send: "substituição|confirmação",
    create: "reserva|ticket",
  },
  alone:
    "(?:(?:já|está|tudo|seu|sua|o|a|pedido|reembolso|solicitação|endereço|morada|assinatura|cancelamento|conta|reserva|sim|ok|perfeito|número|foi|[a-z]*\\d\\w*) )*<act>(?: (?:com sucesso|corretamente|como pediu))*",
  unless:
    "se|quando|uma vez que|para|pode|podem|poderia|posso|possa|podemos|deve|deves|como|depois|antes|até|assim que|sempre|normalmente|geralmente|habitualmente|costuma|costumam|quer|queres|deseja|[^ ]*(?:[^m]os|as|es|o) que|só|somente|caso|após|cada|qualquer",
  politely:
    "se (?:tiver|precisar|houver|quiser)(?: [^ ,]+){0,5} (?:algo|dúvidas?|perguntas?|mais|outra|ajuda|coisa)|(?:posso|pode) (?:ajudar|fazer)[a-z]*|(?:pode|podes) (?:verificar|ver|acompanhar|conferir)|como (?:pediu|solicitado|solicitou|pediste)|para (?:você|si|sua)",
  not: "não|nunca|jamais|nada|nenhum[a]?|ninguém|sem|nem|tampouco",
};
