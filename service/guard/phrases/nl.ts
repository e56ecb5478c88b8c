import type { ClaimPhrases } from "../claim-phrases.ts";

export const nl: ClaimPhrases = {
  acts: {
    cancel: "geannuleerd|opgezegd|stopgezet|ingetrokken|beëindigd|afgezegd|gestopt|teruggedraaid|herroepen",
    refund:
      "terugbetaald|teruggestort|vergoed|gecrediteerd|bijgeschreven|overgemaakt|gerestitueerd|kwijtgescholden",
    change:
      "gewijzigd|veranderd|aangepast|bijgewerkt|gecorrigeerd|verlengd|gereset|hersteld|ontgrendeld|geactiveerd|gedeactiveerd|toegevoegd|vervangen|vernieuwd|verplaatst|toegepast|omgeruild|geblokkeerd|gedeblokkeerd|omgezet|verzet|gekoppeld|gepauzeerd|geregeld|ingesteld",
    remove: "verwijderd|gewist|gesloten|uitgeschreven|afgemeld",
    send: "verzonden|verstuurd|gestuurd|gemaild|opgestuurd|toegestuurd|toegezonden|nagestuurd|uitgegeven|bezorgd|onderweg",
    create:
      "aangemaakt|geopend|geboekt|besteld|gereserveerd|geregistreerd|ingepland|ingediend|aangevraagd|gestart|ingeschreven|aangemeld|genoteerd|vastgelegd|opgeslagen|gegenereerd|geplaatst|gemaakt|opgesteld",
    handoff:
      "doorgestuurd|doorgegeven|geëscaleerd|geïnformeerd|ingelicht|gewaarschuwd|doorverbonden|overgedragen|gecontacteerd|gevraagd|gemeld|verwittigd|toegewezen|ingeschakeld|op de hoogte|bericht",
    done: "gedaan|afgerond|verwerkt|bevestigd|opgelost|voltooid|klaar|uitgevoerd|afgehandeld|goedgekeurd|gelukt|in orde|geslaagd|rond|doorgevoerd",
  },
  does: "annuleer|annuleren|betaal|terugbetalen|stort|terugstorten|stuur|sturen|toesturen|opsturen|wijzig|wijzigen|pas|aanpassen|verwijder|verwijderen|verbind|doorverbinden|informeer|informeren|boek|boeken|maak|aanmaken|open|openen|reserveer|reserveren|regel|regelen|geef|doorgeven|doorsturen|vraag|vragen|zeg|opzeggen|reset|resetten|verwerk|verwerken|verleng|verlengen|escaleren|overdragen|inschakelen|vervangen|bijwerken|vergoeden",
  hints:
    "ontvangt|ontvangen|krijgt|krijg|krijgen|hoort|horen|neemt|nemen|belt|bellen|contact|antwoordt|reageert|komt|komen|sluit|kijkt|pakt|helpt|weg|behandeling|u|je|onderweg|gaat|bezig|mailt|schrijft|op|terug|zie|ziet",
  own: "uw|je|jouw|u|jij|jullie|de|het|dit|dat|deze|alles|beide|een|bestelling|terugbetaling|annulering|aanvraag|account|adres|abonnement|ticket|bedrag|reservering|afspraak|wachtwoord",
  adverbs:
    "al|reeds|zojuist|net|nu|hierbij|meteen|direct|onmiddellijk|ook|succesvol|automatisch|volledig|alvast|inmiddels|vandaag|helemaal|even|graag|persoonlijk|voor u|voor je|dus|definitief|u|je|het|zoals gevraagd|weer|zonet|daarnet|correct",
  we: [
    "(?:ik|we|wij|ons team|ons systeem|mijn collega|mijn team) (?:heb|hebben|heeft|had|ben|zijn)(?: [^ ,]+){0,9}?(?: , [^,]{1,40} ,)?(?: [^ ,]+){0,5}? <act>",
    "(?:heb|hebben) (?:ik|we|wij)(?: [^ ,]+){0,10}? <act>",
    "ik (?:annuleer|betaal|stort|stuur|wijzig|verwijder|verbind|informeer|boek|maak|open|reserveer|regel|geef|zeg|verwerk|verleng|escaleer|pas)",
    "(?:annuleer|stuur|wijzig|verwijder|verbind|boek|regel) ik",
    "(?:ik|we|wij) (?:ga|zal|gaan|zullen)(?: [^ ,]+){0,8}? <do>",
    "(?:ga|zal) ik(?: [^ ,]+){0,8}? <do>",
    "(?:ik ben|we zijn|wij zijn)(?: [^ ,]+){0,6} (?:aan het (?:annuleren|terugbetalen|wijzigen|verwerken|verbinden|doorverbinden|sturen)|bezig)",
  ],
  was: [
    "<own>(?: [^ ,]+){0,8}? (?:is|zijn|werd|werden|was)(?: [^ ,]+){0,7}? <act>",
    "(?:is|zijn|werd) <own>(?: [^ ,]+){0,7}? <act>",
    "(?:is|zijn)(?: <adv>)+(?: [^ ,]+){0,5}? <act>",
    "(?:bestelling|annulering|terugbetaling|wijziging|aanvraag)(?: [^ ,]+){0,3} (?:gelukt|bevestigd|afgerond|verwerkt|voltooid)(?= ,|$)",
    "succesvol <act>",
    "(?:is|zijn) (?:al |nu |inmiddels )*(?:onderweg|in behandeling|op weg)",
  ],
  soon: [
    "(?:uw|je|jouw|u|dit|het|dat)(?: [^ ,]+){0,6}? (?:wordt|worden|word)(?: [^ ,]+){0,7}? <act>",
    "(?:wordt|worden|word) (?:uw|je|jouw|u|nu|dit)(?: [^ ,]+){0,7}? <act>",
    "wordt(?: [^ ,]+){0,3}? (?:nu|direct|meteen|momenteel|vandaag)(?: [^ ,]+){0,5}? <act>",
    "(?:u|je|jij) (?:ontvangt|krijgt|hoort|zult|zal|zal|gaat)(?: [^ ,]+){0,9}? (?:[^ ,]*mail|[^ ,]*bericht|[^ ,]*bevestiging|telefoontje|sms|geld|terugbetaling|van ons|antwoord|reactie|link|brief|vervanging|bedrag|ontvangen|krijgen|horen|tegoed|factuur|vergoeding|label)",
    "(?:ontvangt|krijgt|krijg|hoort|hoor) (?:u|je)(?: [^ ,]+){0,8}? (?:[^ ,]*mail|[^ ,]*bericht|[^ ,]*bevestiging|telefoontje|sms|geld|terugbetaling|van ons|antwoord|reactie|link|bedrag)",
    "(?:collega|medewerker|medewerkster|iemand|team|mens|adviseur|technicus|klantenservice|afdeling|specialist|leidinggevende)(?: [^ ,]+){0,5}? (?:neemt|zal|is|gaat|belt|komt|sluit|kijkt|pakt|helpt|reageert|antwoordt|mailt|werd|heeft|schrijft|bekijkt)(?: [^ ,]+){0,8}? ?(?:contact|opnemen|bellen|geïnformeerd|ingelicht|op de hoogte|onderweg|u|je|aan|op|over|terug|gewaarschuwd|ermee|bezig|gevraagd|ontvangen)",
    "(?:neemt|nemen)(?: [^ ,]+){0,5} contact met (?:u|je) op",
    "(?:we|wij) (?:sturen|zullen|gaan|nemen|bellen|betalen|storten) (?:u|je|uw|het|contact|dit)",
    "(?:uw|je|de|het|een)(?: [^ ,]+){0,3} (?:geld|terugbetaling|bedrag|bevestiging|mail|pakket|vervanging|bestelling)(?: [^ ,]+){0,3} (?:komt|is onderweg|volgt|staat binnen|gaat)",
  ],
  over: [
    "(?:uw|je|jouw|het|de|dit|deze)(?: [^ ,]+){0,3}? (?:abonnement|contract|lidmaatschap|bestelling|boeking|reservering|account|proefabonnement)(?: [^ ,]+){0,2}? niet (?:meer|langer|verder)(?: [^ ,]+){0,3}",
    "(?:u|je|jij)(?: <adv>)* (?:heeft|hebt|heb|bent)(?: <adv>)* (?:geen|niet)(?: [^ ,]+){0,3}? (?:meer|langer)(?: [^ ,]+){0,2}",
    "(?:u|je|jij) (?:heeft|hebt|heb) geen (?:actief |lopend )?(?:abonnement|contract|lidmaatschap|bestelling|boeking)",
  ],
  nouns: {
    cancel: "annulering|opzegging",
    refund: "terugbetaling|restitutie|creditering",
    change: "adreswijziging|wijziging",
    send: "vervanging|bevestiging",
    create: "boeking|ticket",
  },
  alone:
    "(?:(?:alles|dat|is|al|uw|je|de|het|bestelling|terugbetaling|adres|aanvraag|abonnement|account|annulering|nu|succesvol|ja|oké|ok|prima|status|nummer|[a-z]*\\d\\w*) )*<act>(?: (?:voor u|voor je|zoals gevraagd))*",
  unless:
    "als|wanneer|zodra|indien|of|nadat|voordat|totdat|tenzij|kan|kunt|kunnen|zou|zouden|mag|moet|moeten|om|hoe|wilt|wil|meestal|normaal|gewoonlijk|altijd|doorgaans|die al|alleen|zal ik|pas|tot|mits",
  politely:
    "als (?:u|je|er)(?: [^ ,]+){0,6} (?:vragen|vraag|iets|nog|hulp|anders|meer)|kan ik (?:u|je|nog|verder)|(?:u|je) kunt (?:dit|het|nu|de)|mocht u",
  not: "niet|geen|nooit|niets|niemand|zonder|noch|nog niet",
};
