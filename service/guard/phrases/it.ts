import type { ClaimPhrases } from "../claim-phrases.ts";

export const it: ClaimPhrases = {
  acts: {
    cancel: "(?:annullat|cancellat|disdett|bloccat|interrott|revocat|fermat|sospes)[oaie]",
    refund: "(?:rimborsat|accreditat|restituit|riaccreditat|risarcit|stornat|versat)[oaie]",
    change:
      "(?:modificat|cambiat|aggiornat|corrett|prorogat|reimpostat|sbloccat|attivat|disattivat|aggiunt|sostituit|rinnovat|spostat|applicat|ripristinat|adattat|estes|salvat|rettificat|riprogrammat|sistemat)[oaie]",
    remove: "(?:eliminat|rimoss|chius|disiscritt|tolt)[oaie]",
    send: "(?:inviat|spedit|mandat|trasmess|emess|consegnat|inoltrat|recapitat|rispedit)[oaie]",
    create:
      "(?:creat|apert|prenotat|ordinat|registrat|programmat|generat|richiest|avviat|iscritt|fissat|inserit|fatt|annotat|predispost|effettuat|riservat)[oaie]",
    handoff:
      "(?:trasferit|informat|avvisat|avvertit|notificat|contattat|segnalat|assegnat|passat|inoltrat|allertat|coinvolt|chiamat|scalat|girat)[oaie]",
    done: "(?:fatt|completat|elaborat|confermat|risolt|finalizzat|terminat|gestit|approvat|eseguit|conclus|effettuat|sistemat|evas)[oaie]|a posto",
  },
  does: "annullare|cancellare|disdire|rimborsare|inviare|mandare|spedire|modificare|cambiare|aggiornare|trasferire|passare|mettere|eliminare|creare|aprire|prenotare|procedere|avvisare|informare|contattare|reimpostare|sbloccare|inoltrare|segnalare|elaborare|accreditare|occuparmene",
  own: "il|la|lo|l|suo|sua|suoi|tuo|tua|tuoi|vostro|vostra|lei|ti|le|questo|questa|tutto|un|una|ordine|rimborso|annullamento|richiesta|conto|account|indirizzo|abbonamento|ticket|importo|prenotazione|appuntamento",
  adverbs:
    "già|appena|ora|adesso|subito|anche|correttamente|automaticamente|immediatamente|completamente|direttamente|oggi|ormai|quindi|infine|personalmente|regolarmente|ti|le|lo|la|li|vi|l|gli|ne|con successo|provveduto a|stat[oaie]|pure|definitivamente|interamente",
  any: "(?!(?:vist[oaie]|lett[oaie]|capit[oa]|compres[oa]|trovat[oaie]|cercat[oaie]|guardat[oaie]|controllat[oaie]|verificat[oaie]|spiegat[oaie]|descritt[oaie]|menzionat[oaie]|rispost[oaie]|riassunt[oaie]|citat[oaie]|provat[oaie]|sentit[oaie]|imparat[oaie]|dett[oaie]|potut[oaie]|volut[oaie]|avut[oaie]|tradott[oaie]|notat[oaie]|dat[oaie]|mostrat[oaie]|propost[oaie]|suggerit[oaie]|usat[oaie]|indicat[oaie]|consultat[oaie]|progettat[oaie]|disegnat[oaie]|fabbricat[oaie]|prodott[oaie]|testat[oaie]|inclus[oaie]|previst[oaie]|situat[oaie]|destinat[oaie]|limitat[oaie]|danneggiat[oaie]|rubat[oaie]|pers[oaie]|protett[oaie]|garantit[oaie]|certificat[oaie]|pensat[oaie]|tutt[oaie]|molt[oaie]|stat[oaie]|ricevut[oaie]|elencat[oaie]|fatto)(?= |$))(?:[a-z]{2,}(?:at|it|ut|ss|tt|st|rt|nt|lt|us|is|os|es|rs)[oaie])",
  things:
    "guasto|problema|errore|apparecchio|upgrade|riparazione|ordine|pacco|spedizione|consegna|rimborso|reso|sostituzione|ricambio|pagamento|addebito|commissione|mora|multa|penale|fattura|denaro|soldi|importo|saldo|credito|sconto|buono|bonus|cauzione|bonifico|assegno|carta|conto|limite|prestito|password|codice|pin|linea|sim|roaming|piano|tariffa|contratto|abbonamento|iscrizione|licenza|posto|biglietto|pratica|reclamo|richiesta|prenotazione|volo|camera|bagagl[a-z]*|valigi[a-z]*|appuntamento|visita|indirizzo|disdetta|server|numero|segnalazione",
  when: "oggi|domani|presto|a breve|subito|stasera|(?:entro |il |questo |questa |prossimo )?(?:lunedi|martedi|mercoledi|giovedi|venerdi|sabato|domenica)|(?:entro|tra|fra|in) (?:\\d+|un|una|due|tre|pochi|poche|i|il)|(?:il|al|alle|dal) \\d+",
  open: {
    ours: [
      "(?:(?:io|ti|le|lo|la|li|l|vi|gli|ne|te lo|glielo) )*ho(?: <adv>)*(?: , [^,]{1,40} ,)? <any>",
      "(?:ti|le|vi|te lo|glielo|l) abbiamo(?: <adv>)* <any>|abbiamo(?: <adv>)* <any>(?: [^ ,]+){0,4} (?:suo|sua|suoi|sue|tuo|tua|tuoi|tue|lei|te)",
      "(?:sto|stiamo) (?!(?:parlando|vedendo|cercando|provando|chiedendo|riferendo|aspettando|usando|leggendo|guardando)(?= ))[a-z]+(?:ando|endo)(?:lo|la|le|ti|li)*",
      "ho pensato io a",
      "(?:la|ti|le|vi) (?!(?:consiglio|suggerisco|spiego|ringrazio|chiedo|prego|aiuto|mostro|dico|auguro|capisco|vedo|posso|offro|indico|ricordo|invito|riassumo|lascio|propongo|assicuro|devo|sono|ascolto|avverto|mano|foto|radio|moto|auto)(?= ))[a-z]{3,}o(?= (?:al|alla|allo|a|ad|nel|nella|in|sul|sulla|il|la|un|una|subito|ora)(?: |$))",
      "abbiamo(?: <adv>)* <any>(?: [^ ,]+){0,1} (?:il|la|lo|l|i|le|gli) ?",
      "(?<=^|, )(?!(?:sono|posso|devo|vedo|capisco|credo|penso|spero|leggo|trovo|cerco|secondo|quando|quanto|questo|quello|dopo|dentro|sotto|sopra|contro|primo|vostro|nostro|suo|tuo|certo|spiego|consiglio|suggerisco|solo|non|no)(?= ))[a-z]{3,}o (?:(?:subito|ora|adesso) )?(?:il|la|lo|l|i|le) (?:suo|sua|suoi|sue|tuo|tua|tuoi|tue)",
    ],
    happened: [
      "(?:suo|sua|suoi|sue|tuo|tua|tuoi|tue|il|la|lo|l|i|le|due|tre|\\d+)(?: [^ ,]+){0,2}? (?:<thing>)(?: (?!che)[^ ,]+){0,4}? (?:e stat[oaie]|sono stat[oaie]|risulta|risultano|e ora|e gia)(?: <adv>)* <any>",
      "(?:suo|sua|suoi|sue|tuo|tua|tuoi|tue)(?: (?!che)[^ ,]+){0,4}? (?:e|sono)(?: <adv>)* (?:stat[oaie](?: <adv>)* <any>|(?:ora |adesso |gia )*in mano|(?:ora |adesso |gia )*(?:ai|presso|al) )",
      "(?:e|sono) partit[oaie]",
      "(?:contratto|<thing>) e(?: <adv>)* (?:<act>|<any>)(?= ,|$)",
      "(?:<thing>) (?:<act>|<any>)(?= ,|$)",
      "(?:il|la|lo|l|i|le|nostr[oa]|un|una)(?: (?!che)[^ ,]+){1,3} (?:ha|hanno)(?: <adv>)* <any>(?: [^ ,]+){0,3} (?:suo|sua|suoi|sue|tuo|tua|tuoi|tue)",
      "(?:il|la|lo|l|questo|questa|premium)(?: (?!(?:che)(?= ))[^ ,]+){0,3}? (?:e stat[oa]|e ora|e gia)(?: <adv>)* <any>",
      "[^ ,]+ e(?: <adv>)* <any>(?: [^ ,]+){0,3} (?:suo|sua|suoi|sue|tuo|tua|tuoi|tue)(?= |$)",
      "(?:lettura|conto|polizza|pratica|richiesta)(?: [^ ,]+){0,2}? e(?: <adv>)* <any>(?= ,|$)",
      "(?:suo|sua|suoi|sue|tuo|tua|tuoi|tue)(?: (?!che)[^ ,]+){0,4}? (?:e|sono)(?: <adv>)* <any>(?= ,|$)",
      "(?:il|la|lo|l|i|le)(?: (?!che)[^ ,]+){1,2} (?:e|sono)(?: <adv>)* (?:partit|arrivat|tornat|uscit|entrat|passat|sces|salit|andat)[oaie]",
      "(?:i|le|entrambi|entrambe|tutti|tutte|il|la|l)(?: (?!che)[^ ,]+){1,3}? (?:sono|e)(?: <adv>)* (?:rinnovat|bloccat|annullat|prenotat|prorogat|confermat|rimborsat|sbloccat|attivat|cambiat|spostat|sospes|chius|aggiunt)[oaie](?= ,|$| fino| per| al| a)",
      "(?:il|la|l|suo|sua)(?: (?!che)[^ ,]+){1,3}? (?:e|risulta)(?: <adv>)* (?:disattivat|attivat|cancellat|spent|acces|pagat|azzerat)[oa](?= ,|$)",
      "(?:la|ti|vi) (?:aspett|attend)[a-z]+",
      "due [^ ,]+ sono(?: <adv>)* <any>",
      "(?:la|ti|l) (?:aspett|attend)[a-z]+|(?:il|la|lo|l|suo|sua)(?: (?!che)[^ ,]+){1,4}? (?:resta|rimane|e)(?: <adv>)* (?:bloccat|stampat|fissat|confermat|garantit|rinnovat)[oa]",
      "l ha(?:nno)?(?: <adv>)* <any>",
      "(?:collegh[ei]|collega|squadra|contabilita|banca|magazzino|tecnic[oi]|albergo)(?: [^ ,]+){0,2}? (?:ha|hanno)(?: <adv>)* <any>",
      "(?:<thing>) e(?: <adv>)* (?:apert|creat|registrat|avviat|inoltrat|pront)[oa](?= |$)",
      "(?:i|le) due [^ ,]+ sono(?: <adv>)* [a-z]+(?:at|it|ut)[ie]",
    ],
    announced: [
      "(?:vedra|vedrai|vedrete|ritrovera|ritroverai|avra|avrai)(?: [^ ,]+){0,6}? (?:denaro|soldi|importo|rimborso|\\d+|conto|carta|saldo|accredito)",
      "(?:tecnico|corriere|collega|addetto|fattorino)(?: [^ ,]+){0,3}? (?:passera|verra|viene|passa|ritirera|ritira|chiamera|chiama|arrivera)",
      "(?:suo|sua|tuo|tua|il|la|l)(?: [^ ,]+){0,2}? (?:<thing>)(?: (?!che)[^ ,]+){0,4}? (?:termina|finisce|scade|parte|arriva|torna|tornera|partira|sara)(?: [^ ,]+){0,4}? <when>",
      "\\d+(?: [^ ,]+){0,3} (?:va|vanno|arriva|arrivano|parte|partono)(?: [^ ,]+){0,1} (?:a|al|alla|sul|sulla|verso)(?: la)? (?:suo|sua|tuo|tua)",
      "(?:suo|sua|tuo|tua|la|il) nuov[oa](?: [^ ,]+){1,3} e (?:di )?\\d+",
      "(?:fattorino|corriere|autista|tecnico)(?: [^ ,]+){0,3}? (?:torna|arriva|sta|e in)(?: [^ ,]+){0,5}",
    ],
  },
  we: [
    "(?:(?:io|noi|il nostro team|il nostro staff) )?(?:(?:ti|le|lo|la|li|l|vi|gli|ne|te lo|glielo) )*(?:ho|abbiamo|ha provveduto a)(?: <adv>)*(?: , [^,]{1,40} ,)? <act>",
    "(?:ho|abbiamo) (?:provveduto|proceduto) (?:a|ad|con|all)",
    "(?:sto|stiamo) (?:annullando|rimborsando|inviando|modificando|cambiando|aggiornando|trasferendo|procedendo|elaborando|eliminando|avvisando|contattando|passando|mettendo|inoltrando)",
    "(?:le|ti|vi|lo|la|glielo|te lo|li)(?: <adv>)* (?:annullo|rimborso|invio|mando|cambio|trasferisco|passo|metto|aggiorno|modifico|inoltro)",
    "procedo(?: <adv>)* (?:con|a|ad|all|subito)",
    "me ne occupo|ci penso io",
    "(?:annullerò|rimborserò|invierò|manderò|modificherò|trasferirò|aggiornerò|avviserò|contatterò|passerò)",
    "(?:avviso|informo) (?:un|il|la|subito|i)",
  ],
  was: [
    "(?:è|sono|sei|siete|era)(?: <adv>)* stat[oaie](?: <adv>)* <act>",
    "(?:suo|sua|suoi|tuo|tua|tuoi|tutto|vostro|vostra)(?: [^ ,]+){0,7}? (?:è|sono|risulta)(?: <adv>)* <act>",
    "<own>(?: [^ ,]+){0,7}? (?:è|risulta)(?: <adv>)* <act>(?= ,|$| come| per lei| per te)",
    "(?:è tutto|tutto) (?:a posto|fatto|risolto|sistemato|pronto)",
    "(?:annullamento|rimborso|modifica|ordine|richiesta)(?: [^ ,]+){0,3} (?:riuscit[oa]|confermat[oa]|completat[oa]|effettuat[oa]|elaborat[oa])(?= ,|$)",
    "è andat[oa] a buon fine|con successo",
  ],
  soon: [
    "(?:riceverà|riceverai|riceverete|otterrà|otterrai)(?: [^ ,]+){0,8}",
    "(?:le|ti|vi) arriver[aà]|(?:arriverà) (?:una|un|la|il)",
    "(?:verrà|verrai|verranno|sarà|sarai|saranno)(?: <adv>)* (?:stat[oaie] )?<act>",
    "(?:collega|operatore|operatrice|qualcuno|team|persona|addetto|consulente|tecnico|responsabile|assistenza|specialista|staff)(?: [^ ,]+){0,5}? (?:contatterà|risponderà|chiamerà|richiamerà|scriverà|unirà|prenderà|è stat[oaie]|sta|si occuperà|si occupa|occuperà|aiuterà|arriva|metterà)",
    "(?:le|ti|vi|la|lo) (?:invieremo|rimborseremo|contatteremo|manderemo|chiameremo|avviseremo|ricontatteremo|faremo)",
    "(?:invieremo|rimborseremo|annulleremo|provvederemo|elaboreremo) (?:il|la|un|una|l|a)",
    "(?:il|la|un|una|suo|sua|tuo|tua|l)(?: [^ ,]+){0,3} (?:rimborso|mail|conferma|pacco|importo|messaggio|ordine|denaro|soldi)(?: [^ ,]+){0,3} (?:arriverà|è in (?:arrivo|corso|viaggio|lavorazione)|è per strada|comparirà)",
    "<own>(?: [^ ,]+){0,4} è in (?:arrivo|corso|lavorazione|viaggio)",
    "a breve (?:riceve|arriva)[a-z]*",
  ],
  over: [
    "(?:il|la|l|questo|questa)(?: (?:suo|sua|tuo|tua))?(?: [^ ,]+){0,2}? ?(?:abbonamento|contratto|iscrizione|piano|ordine|prenotazione|account|prova) non (?:è|e|sarà|si|esiste|risulta)(?: <adv>)* più(?: [^ ,]+){0,3}",
    "(?:lei )?non (?:ha|hai|è|sei|sarà|sarai)(?: <adv>)* più(?: [^ ,]+){0,3}? (?:abbonamento|abbonat[oa]|contratto|iscrizione|iscritt[oa]|prenotazione|addebitat[oa]|ordine)",
    "(?:il|la|lo|l|sua|suo|tua|tuo)(?: [^ ,]+){0,2}? (?:<thing>)(?: [^ ,]+){0,2}? non (?:comparira|figura|risulta|apparira|sara|comparira)(?: <adv>)* piu(?: [^ ,]+){0,3}",
  ],
  nouns: {
    cancel: "annullamento|cancellazione|disdetta",
    refund: "rimborso|accredito",
    change: "cambio di indirizzo|modifica",
    send: "sostituzione|conferma",
    create: "prenotazione|ticket",
  },
  alone:
    "(?:(?:è|già|tutto|il|la|suo|sua|tuo|tua|ordine|rimborso|richiesta|indirizzo|abbonamento|annullamento|account|sì|ok|perfetto|bene|stato|numero|ecco|prenotazione|[a-z]*\\d\\w*) )*<act>(?: (?:con successo|correttamente|come richiesto))*",
  you: "suo|sua|suoi|sue|tuo|tua|tuoi|tue|ti|te|lei|vostr[oaie]|vi",
  tensed: "<any>|<act>|appena|adesso|ora|gia|subito|<when>",
  dated:
    "adesso|(?<=e )ora|ora (?:e|sono)|ieri|stamattina|poco fa|(?:\\d+|un|una|due|pochi) (?:minuti|minuto|ore|ora|giorni|giorno) fa|d ora in poi|(?:da|a partire da) (?:oggi|ora|adesso|domani)",
  says: "(?<!come )(?:scrive|scrivi|dice|dici|segnala|segnali) che",
  unless:
    "se|quando|una volta|per|può|puoi|possono|possiamo|posso|potrebbe|deve|devi|come|dopo|prima|finché|appena|sempre|normalmente|generalmente|di solito|di norma|vuole|vuoi|desidera|[^ ]*(?:[^m]i|le) che|solo|salvo|qualora|nel caso|solitamente|ogni",
  politely:
    "se (?:ha|hai|serve|avete|desidera|vuole|vuoi)(?: [^ ,]+){0,5} (?:altro|domande|bisogno|dubbi|aiuto)|(?:posso|può) (?:aiutar|fare)[a-z]*|(?:può|puoi) (?:verificar|controllar|veder|seguir)[a-z]*|come (?:richiesto|chiesto|da lei)|per (?:lei|te|la sua)",
  not: "non|mai|nulla|niente|nessun[oa]?|senza|né|neanche|ne pure",
};
