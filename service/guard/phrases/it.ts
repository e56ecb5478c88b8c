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
  hints:
    "ricever[a-z]*|arriver[a-z]*|contatter[a-z]*|risponder[a-z]*|chiamer[a-z]*|scriver[a-z]*|unir[a-z]*|prender[a-z]*|annull[a-z]*|rimbors[a-z]*|invi[a-z]*|mando|manderemo|trasferisco|passo|metto|procedo|occup[a-z]*|corso|arrivo|buon|fine|successo|verr[a-z]*|sar[a-z]*|sta|stiamo|sto|riceve|richiamer[a-z]*|avviso|aggiorno|cambio|modifico|posto",
  own: "il|la|lo|l|suo|sua|suoi|tuo|tua|tuoi|vostro|vostra|lei|ti|le|questo|questa|tutto|un|una|ordine|rimborso|annullamento|richiesta|conto|account|indirizzo|abbonamento|ticket|importo|prenotazione|appuntamento",
  adverbs:
    "già|appena|ora|adesso|subito|anche|correttamente|automaticamente|immediatamente|completamente|direttamente|oggi|ormai|quindi|infine|personalmente|regolarmente|ti|le|lo|la|li|vi|l|gli|ne|con successo|provveduto a|stat[oaie]|pure|definitivamente|interamente",
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
  unless:
    "se|quando|una volta|per|può|puoi|possono|possiamo|posso|potrebbe|deve|devi|come|dopo|prima|finché|appena|sempre|normalmente|generalmente|di solito|di norma|vuole|vuoi|desidera|[^ ]*(?:[^m]i|le) che|solo|salvo|qualora|nel caso|solitamente|ogni",
  politely:
    "se (?:ha|hai|serve|avete|desidera|vuole|vuoi)(?: [^ ,]+){0,5} (?:altro|domande|bisogno|dubbi|aiuto)|(?:posso|può) (?:aiutar|fare)[a-z]*|(?:può|puoi) (?:verificar|controllar|veder|seguir)[a-z]*|come (?:richiesto|chiesto|da lei)|per (?:lei|te|la sua)",
  not: "non|mai|nulla|niente|nessun[oa]?|senza|né|neanche|ne pure",
};
