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
      "(?:criad|abert|reservad|agendad|registrad|registad|gerad|solicitad|(?<!^|(?:seu|seus|teu|o|os|um|este|do) )pedid|inscrit|iniciad|efetuad|feit|anotad|marcad|protocolad)[oa]s?",
    handoff:
      "(?:transferid|encaminhad|informad|notificad|avisad|alertad|escalad|escalonad|contatad|contactad|repassad|acionad|passad|comunicad|conectad)[oa]s?",
    done: "(?:pront|concluíd|processad|confirmad|resolvid|finalizad|tratad|aprovad|feit|realizad|efetuad|executad|solucionad|completad)[oa]s?",
  },
  does: "cancelar|anular|reembolsar|devolver|estornar|enviar|mandar|alterar|mudar|atualizar|actualizar|modificar|transferir|passar|encaminhar|conectar|excluir|apagar|eliminar|criar|abrir|reservar|agendar|providenciar|avisar|informar|notificar|escalar|redefinir|processar|desbloquear|proceder|colocar|trocar|solicitar|contactar",
  own: "seu|sua|seus|suas|teu|tua|você|lhe|te|o|a|os|as|este|esta|isto|isso|ele|ela|tudo|já|um|uma|pedido|reembolso|cancelamento|solicitação|conta|endereço|morada|assinatura|ticket|valor|reserva|chamado",
  adverbs:
    "já|também|agora|agora mesmo|imediatamente|automaticamente|corretamente|bem|logo|diretamente|hoje|acabei de|lhe|o|a|os|as|te|se|me|completamente|totalmente|com sucesso|devidamente|sido|recentemente|efetivamente|finalmente|oficialmente|mesmo",
  any: "(?!(?:vist[oa]s?|lid[oa]s?|entendid[oa]|compreendid[oa]|encontrad[oa]s?|procurad[oa]s?|verificad[oa]s?|explicad[oa]s?|descrit[oa]s?|mencionad[oa]s?|respondid[oa]s?|resumid[oa]s?|citad[oa]s?|tentad[oa]|ouvid[oa]|dit[oa]s?|podid[oa]|querid[oa]|tid[oa]|estad[oa]|sid[oa]|traduzid[oa]s?|notad[oa]s?|dad[oa]s?|mostrad[oa]s?|propost[oa]s?|sugerid[oa]s?|usad[oa]s?|indicad[oa]s?|consultad[oa]s?|desenhad[oa]s?|projetad[oa]s?|fabricad[oa]s?|testad[oa]s?|incluid[oa]s?|previst[oa]s?|situad[oa]s?|destinad[oa]s?|limitad[oa]s?|danificad[oa]s?|roubad[oa]s?|perdid[oa]s?|protegid[oa]s?|garantid[oa]s?|certificad[oa]s?|pensad[oa]s?|todo|lado|cada|nada|recebid[oa]s?|cobrad[oa]s?|feito de|obrigad[oa])(?= |$))(?:[a-z]{2,}(?:ad|id)[oa]s?|post[oa]s?|feit[oa]s?|abert[oa]s?|pag[oa]s?|suspens[oa]s?|pront[oa]s?|entregues?)",
  things:
    "avaria|problema|erro|aparelho|upgrade|reparacao|reparo|conserto|pedido|encomenda|envio|entrega|reembolso|devolucao|estorno|substituicao|peca|pagamento|cobranca|debito|taxa|multa|fatura|dinheiro|valor|montante|saldo|credito|desconto|cupao|cupom|vale|deposito|caucao|transferencia|cheque|cartao|conta|limite|emprestimo|senha|palavra passe|codigo|pin|linha|sim|chip|roaming|plano|tarifario|contrato|assinatura|subscricao|licenca|lugar|assento|bilhete|passagem|caso|reclamacao|solicitacao|reserva|voo|quarto|malas?|bagagem|consulta|visita|endereco|morada|cancelamento|servidor|numero|chamado",
  when: "hoje|amanha|em breve|logo|(?:na |no |ate |ate a |esta |proxima )?(?:segunda|terca|quarta|quinta|sexta|sabado|domingo)(?: feira)?|(?:em|dentro de|daqui a) (?:ate )?(?:\\d+|um|uma|dois|duas|tres|alguns|algumas|poucos)|(?:no dia|dia|as|em) \\d+",
  open: {
    ours: [
      "(?!(?:vi|li|entendi|compreendi|encontrei|procurei|verifiquei|expliquei|mencionei|respondi|resumi|citei|tentei|ouvi|lamentei|falei|consultei|indiquei|sei|serei|terei|estarei|poderei|irei|ficarei|farei|gostei|pensei|usei|direi|achei|analisei|listei|sugeri|hei|lei|rei|deverei|precisei|notei|aqui|ali|perguntei|procurarei|responderei|tentarei|ajudarei|explicarei)(?= |$))[a-z]{2,}(?:ei|ii)(?: [^ ,]+){0,4}? (?:o|a|os|as|um|uma|seu|sua|seus|suas|teu|tua|lhe|te|voce|si|ao|no|na|do|da)(?= )",
      "(?:[a-z]{3,}amos|[a-z]{3,}imos)(?: [^ ,]+){0,4}? (?:seu|sua|seus|suas|teu|tua|tuas|voce|para si)",
      "(?<=^|, )(?:ja )?(?!(?:estamos|vamos|ficamos|podemos|lamentamos|esperamos|usamos|precisamos|recomendamos)(?= ))[a-z]{3,}amos(?: [^ ,]+){0,4}? (?:na sua|no seu|a sua|o seu|\\d+)",
      "(?:estou|estamos) (?:a (?!(?:falar|ver|procurar|tentar|perguntar|referir|esperar|usar|ler|olhar)(?= ))[a-z]+(?:ar|er|ir|or)|(?!(?:falando|vendo|procurando|tentando|perguntando|esperando|usando|lendo|olhando)(?= ))[a-z]+(?:ando|endo|indo))",
      "(?<=^|, )(?:ja )?[a-z]{3,}[aei]mos (?:lhe|te|vos)(?= )",
      "(?<=^|, )(?:ja )?(?!(?:foi|aqui|ali|assim|daqui|vi|li|depois|mais|pois|onde)(?= ))[a-z]{3,}i (?:o|a|os|as|lhe|te) (?:no|na|nos|nas|para|ao|em|de)(?= )",
    ],
    happened: [
      "(?:seu|sua|seus|suas|teu|tua|<thing>)(?: [^ ,]+){0,3} (?:voltou a|voltaram a|(?:esta|estao) (?:novamente|de novo|outra vez)) [^ ,]+",
      "(?<=^|, )(?:(?!(?:meu|meus|mis|mi|de|em|e|sao|esta|estao|ser|seja|foi|nao|sem)(?= ))[^ ,]+ ){1,3}<act>(?= ,|$)",
      "(?:seu|sua|seus|suas|teu|tua|o|a|os|as|dois|duas|tres|\\d+)(?: [^ ,]+){0,2}? (?:<thing>)(?: (?!que)[^ ,]+){0,4}? (?:foi|foram|esta|estao|ficou|ficaram|tem sido)(?: <adv>)* <any>",
      "(?:seu|sua|seus|suas|teu|tua)(?: (?!que)[^ ,]+){0,4}? (?:foi|foram|ficou|ficaram)(?: <adv>)* <any>",
      "(?:acabou|acabaram) de ser <any>",
      "(?:seu|sua|teu|tua|o|a)(?: [^ ,]+){0,2}? (?:<thing>)(?: [^ ,]+){0,2}? (?:ja )?(?:saiu|sairam|caiu|voltou|entrou|esta com|esta nas maos|partiu)",
      "(?<!(?:do|da|de|dos|das) )(?:<thing>) (?:<act>|<any>)(?= ,|$)",
      "[a-z]{3,}(?:ou|eu|iu)(?: [^ ,]+){0,2} (?:o seu|a sua|os seus|as suas|seu|sua|o teu|a tua)",
      "(?:o|a|este|esta|premium)(?: (?!(?:que|se)(?= ))[^ ,]+){0,7}? (?:foi|ficou|ja esta|esta agora)(?: <adv>)* (?:<any>|aceit[ae])",
      "[^ ,]+ esta(?: <adv>)* <any>(?: [^ ,]+){0,3} (?:seu|sua|seus|suas|teu|tua)(?= |$)",
      "(?:seu|sua|seus|suas|teu|tua|teus|tuas)(?: (?!que)[^ ,]+){0,4}? (?:[a-z]{2,}(?:aram|eram|iram)|voltou|chegou|saiu|entrou|caiu|subiu|passou|seguiu)(?= |$)",
      "(?:os|as|ambos|ambas|o|a)(?: (?!que)[^ ,]+){1,3}? (?:ficam|fica|estao|esta)(?: <adv>)* (?:renovad|bloquead|cancelad|reservad|prorrogad|confirmad|reembolsad|desbloquead|ativad|alterad|suspens|fechad|adicionad)[oa]s?",
      "(?:o|a|seu|sua)(?: (?!que)[^ ,]+){1,3}? esta(?: <adv>)* <any>(?= ,|$)",
      "(?:o|a|seu|sua)(?: (?!que)[^ ,]+){1,4}? (?:fica|permanece|esta)(?: <adv>)* (?:impress|garantid|bloquead|fixad|confirmad|marcad)[oa]",
      "(?:colegas?|equipa|equipe|contabilidade|banco|armazem|tecnicos?|hotel)(?: [^ ,]+){0,2}? [a-z]{2,}(?:aram|eram|iram|ou|eu|iu)(?= )",
    ],
    announced: [
      "(?:vera|veras|tera|teras|vai (?:ver|ter))(?: [^ ,]+){0,6}? (?:dinheiro|valor|reembolso|\\d+|conta|cartao|saldo)",
      "(?:tecnico|estafeta|motorista|entregador|colega)(?: [^ ,]+){0,3}? (?:vai|ira|passa|passara|vem|vira|recolhe|recolhera|liga|ligara)",
      "(?:seu|sua|teu|tua|o|a)(?: [^ ,]+){0,2}? (?:<thing>)(?: (?!que)[^ ,]+){0,4}? (?:termina|acaba|expira|sai|chega|volta|cai|voltara|saira|sera|regressa)(?: [^ ,]+){0,4}? <when>",
      "\\d+(?: [^ ,]+){0,3} (?:vai|vao|segue|seguem|chega|chegam)(?: [^ ,]+){0,1} (?:para|a|ao) (?:o |a )?(?:seu|sua|teu|tua)",
      "(?:seu|sua|teu|tua|a|o) nov[oa](?: [^ ,]+){1,3} e (?:de )?\\d+",
      "(?:<thing>|peca)(?: [^ ,]+){0,2}? (?:ja )?a caminho",
      "(?:estafeta|entregador|motorista|tecnico)(?: [^ ,]+){0,3}? (?:deu|chega|volta|esta a|esta em)(?: [^ ,]+){0,5}",
    ],
  },
  we: [
    "(?:cancelei|anulei|reembolsei|devolvi|estornei|enviei|mandei|alterei|mudei|atualizei|actualizei|modifiquei|corrigi|transferi|passei|encaminhei|excluí|apaguei|eliminei|removi|criei|abri|reservei|agendei|registrei|registei|solicitei|avisei|informei|notifiquei|escalei|redefini|processei|desbloqueei|troquei|providenciei|concluí|confirmei|acionei|contactei|contatei|resolvi|fiz|gerei|marquei|ativei|estendi)",
    "(?:acabei|acabámos|acabamos|acabo) de(?: [^ ,]+){0,3}? <do>",
    "(?:vou|vamos|irei|iremos)(?: [^ ,]+){0,3}? (?:<do>)",
    "estou (?:a )?(?:[^ ,]+ ){0,2}?(?:<do>|cancelando|reembolsando|enviando|alterando|atualizando|transferindo|processando|encaminhando|providenciando|avisando|excluindo|abrindo)",
    "(?:lhe|te|o|a|já)(?: <adv>)* (?:transfiro|encaminho|envio(?! express)|passo|cancelo)",
    "(?:lhe|te|já)(?: <adv>)* reembolso",
    "(?:já|nós|acima) (?:cancelamos|reembolsamos|enviamos|alteramos|atualizamos|processamos|avisamos|encaminhamos|notificamos|devolvemos|cancelámos|reembolsámos|enviámos|alterámos)",
    "(?:cancelamos|reembolsamos|enviamos|alteramos|atualizamos|excluímos|avisamos|encaminhamos|cancelámos|reembolsámos|enviámos|alterámos) (?:o|a|os|as)? ?(?:seu|sua|teu|tua|equipe|equipa|um)",
    "cuidei (?:disso|de)|tratei (?:disso|de|do)|(?:cuido|trato) disso",
  ],
  was: [
    "(?:foi|foram)(?: <adv>)* <act>",
    "(?:tem|têm|tinha)(?: <adv>)* sido(?: <adv>)* <act>",
    "(?:seu|sua|seus|suas|teu|tua|tudo|isso|isto|você)(?: [^ ,]+){0,7}? (?:está|estão|fica|ficou|é)(?: <adv>)* <act>",
    "<own>(?: [^ ,]+){0,6}? (?:já )?(?:está|estão|ficou)(?: <adv>)* <act>(?= ,|$| como| para você)",
    "(?:está|ficou) tudo (?:pronto|certo|resolvido|tratado|feito)|tudo (?:pronto|certo|resolvido|feito|tratado)",
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
  you: "seu|sua|seus|suas|teu|tua|teus|tuas|voce|lhe|lhes|te|ti|si",
  tensed: "<any>|<act>|(?:acabei|acabou|acabaram|acabamos|acabo) de|agora|ja|<when>",
  dated:
    "agora|ontem|esta manha|hoje de manha|ha (?:\\d+|um|uma|dois|poucos) ?(?:minutos?|horas?|dias?|instantes?)|(?:desde|a partir de) (?:hoje|agora|amanha)",
  says: "(?<!como )(?:disse|diz|escreveu|escreve|dizes|contou|conta|relatou|relata|informou|mencionou|comentou|contaste|disseste|escreveste) que",
  unless:
    "se|quando|uma vez que|para|pode|podem|poderia|posso|possa|podemos|deve|deves|(?<=[a-z] )como|depois(?! das? \\d)|antes(?! das? \\d| do (?:meio dia|fim))|enquanto|até(?! (?:(?:o )?(?:dia )?(?:\\d|fim|final)|segunda|terça|quarta|quinta|sexta|sábado|domingo|amanhã|hoje|aí|às?|(?:a|à|ao) (?:sua|seu)))|assim que|sempre|normalmente|geralmente|habitualmente|costuma|costumam|quer|queres|deseja|[^ ]*(?:[^m]os|as|es|o) que|só|somente|caso|após|cada|qualquer",
  politely:
    "se (?:tiver|precisar|houver|quiser)(?: [^ ,]+){0,5} (?:algo|dúvidas?|perguntas?|mais|outra|ajuda|coisa)|(?:posso|pode) (?:ajudar|fazer)[a-z]*|(?:pode|podes) (?:verificar|ver|acompanhar|conferir)|como (?:pediu|solicitado|solicitou|pediste)|para (?:você|si|sua|a sua|a tua|o seu|o teu)",
  not: "não(?! só)|nunca|jamais|nada|nenhum[a]?|ninguém|sem|nem|tampouco",
};
