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
  own: "uw|je|jouw|u|jij|jullie|de|het|dit|dat|deze|alles|beide|een|bestelling|terugbetaling|annulering|aanvraag|account|adres|abonnement|ticket|bedrag|reservering|afspraak|wachtwoord",
  adverbs:
    "al|reeds|zojuist|net|nu|hierbij|meteen|direct|onmiddellijk|ook|succesvol|automatisch|volledig|alvast|inmiddels|vandaag|helemaal|even|graag|persoonlijk|voor u|voor je|dus|definitief|u|je|het|zoals gevraagd|weer|zonet|daarnet|correct",
  any: "(?!(?:bereikt|gezien|gelezen|begrepen|gevonden|gekeken|nagekeken|gecheckt|gecontroleerd|gezocht|gehoord|geleerd|uitgelegd|beschreven|bedoeld|gezegd|genoemd|geprobeerd|samengevat|opgesomd|beantwoord|gekregen|ontvangen|vertaald|gegeven|getoond|geschreven|gemerkt|gehad|geweest|gedacht|vergeten|begrensd|ontworpen|vervaardigd|getest|bedacht|bestemd|beschadigd|gestolen|verplicht|geschikt|beschikbaar|bedoelt|beperkt|verzekerd|gemaakt van|gebouwd|gebruikt|geven|gegevens|geregeld|verwachten|ontvangt|verschillen[dt]?|bent|betekent|gent|gebeurt|hert|bent|geniet|beantwoorden|vermeld|bezorgen|bevat|gelden?|genoeg|begint|vertellen|vinden|begrijpen|onderwerpen|gebruiken|berichten|gerecht|gebied)(?= |$))(?:(?:[a-z]+)?ge[a-z]{2,}(?:d|t|en)|(?:be|ver|ont|her)[a-z]{2,}(?:d|t|en))",
  things:
    "storing|probleem|fout|toestel|upgrade|reparatie|bestelling|pakket|zending|levering|terugbetaling|retour|vervanging|onderdeel|betaling|afschrijving|kosten|aanmaningskosten|boete|factuur|rekening|geld|bedrag|tegoed|saldo|korting|voucher|borg|overboeking|pas|kaart|account|limiet|lening|wachtwoord|pincode|code|lijn|verbinding|simkaart|sim|roaming|abonnement|contract|lidmaatschap|licentie|stoel|ticket|dossier|zaak|klacht|aanvraag|melding|reservering|boeking|vlucht|kamer|bagage|koffers?|afspraak|bezoek|adres|opzegging|annulering|server|nummer|incasso",
  when: "vandaag|morgen|overmorgen|binnenkort|straks|zo meteen|(?:op |aanstaande |komende )?(?:maandag|dinsdag|woensdag|donderdag|vrijdag|zaterdag|zondag)|(?:binnen|over|in) (?:\\d+|een|twee|drie|enkele|een paar)|(?:per|op|om|vanaf|tot) \\d+",
  open: {
    ours: [
      "ik (?:heb|had)(?: [^ ,]+){0,8}? <any>(?= ,|$| en | per | via | onder | voor | naar | van | op | uit )",
      "heb ik(?: [^ ,]+){0,8}? <any>(?= ,|$| en )",
      "(?<=^|, )heb(?: [^ ,]+){0,8}? (?:<act>|<any>)(?= ,|$| en )",
      "(?:we|wij) hebben(?: [^ ,]+){0,4}? (?:u|je|jouw|uw)(?: [^ ,]+){0,6}? (?:[a-z]*ge[a-z]{2,}(?:d|t|en)|<any>)(?= ,|$| en )",
      "(?:we|wij) hebben(?: [^ ,]+){1,4} voor (?:u|je|jou)(?: [^ ,]+){0,4}? [^ ,]+(?= ,|$)",
      "ik (?:blokkeer|deblokkeer|zet|haal|schakel|vraag|meld|start|verplaats|verzet|plan|bestel|vervang|activeer|bel|neem|laat|voeg|schrijf)(?: [^ ,]+){0,6}? (?:u|je|uw|jouw|het|dit|meteen|direct|nu)(?= |$)",
      "ik (?!(?:kan|begrijp|zie|hoop|denk|raad|adviseer|help|vraag|dank|wens|leg|toon|verwijs|heb|ben|moet|wil|zou|weet|vind|lees|snap|geloof|bedoel|wacht|mag|ga|zal|had|hoor|antwoord|noem)(?= ))[a-z]{3,}(?: [^ ,]+){0,3}? (?:u|je|uw|jouw|jou)(?= |$)",
      "(?:we|wij) hebben(?: <adv>)* (?:de|het|beide|alle)(?: [^ ,]+){0,6}? <any>(?= ,|$)",
    ],
    happened: [
      "(?:uw|je|jouw|<thing>)(?: [^ ,]+){0,3} (?:is|zijn)(?: <adv>)* weer [^ ,]+",
      "(?:uw|je|jouw)(?: [^ ,]+){0,3} (?:werkt|werken|doet het) weer",
      "(?<=^|, )(?:(?!(?:graag|is|zijn|was|wordt|worden|heb|heeft|niet|nog|te)(?= ))[^ ,]+ ){1,3}(?:<act>)(?= ,|$)",
      "(?:uw|je|jouw)(?: (?!die|dat)[^ ,]+){0,6}? (?:is|zijn|werd|werden|was)(?: [^ ,]+){0,6}? <any>(?= ,|$| en | naar | van | op | per | voor | uit )",
      "(?:de|het|deze|dit|beide|twee|\\d+)(?: [^ ,]+){0,3}? (?:[a-z]*(?:<thing>))(?: (?!die|dat)[^ ,]+){0,4}? (?:is|zijn|werd|werden)(?: [^ ,]+){0,6}? <any>(?= ,|$| en | naar | van | op | per | voor | uit )",
      "(?:uw|je|jouw|de|het)(?: (?!die|dat)[^ ,]+){0,4}? (?:ligt|is|zijn|staat)(?: <adv>)* (?:bij (?:onze|de|een)|terug|weg|vervallen|voor (?:u|je) vervallen|van (?:uw|je))",
      "(?:uw|je|jouw|de|het)(?: [^ ,]+){0,2}? (?:<thing>) (?:doet|werkt) het (?:weer|nu)",
      "(?:<thing>) (?:<act>|<any>)(?= ,|$)",
      "(?:onze?|de|het|mijn|een)(?: [^ ,]+){1,3} (?:heeft|hebben)(?: [^ ,]+){0,6}? (?:uw|je|jouw|u)(?: [^ ,]+){0,6}? <any>(?= ,|$)",
      "(?:de|het|deze|dit|premium)(?: (?!(?:die|dat)(?= ))[^ ,]+){0,3}? (?:is|werd)(?: <adv>)* <any>(?= ,|$| en | op (?:al )?(?:je|uw|jouw))",
      "(?:je|uw|jouw)(?: [^ ,]+){0,3} (?:staan|staat|zijn|is)(?: er)? (?:weer|terug|nu)(?= |$)",
      "(?:de|het|uw|je)(?: (?!(?:die|dat)(?= ))[^ ,]+){1,3}? (?:staat|is) (?:uit|aan|weg|van de baan)(?= ,|$)",
      "(?:staat|blijft|geldt) voor (?:u|je|jou)(?= )",
      "(?<!(?:u|je|jij) )(?:staat|staan|sta)(?: <adv>)* (?:ingeschreven|geregistreerd|ingepland|genoteerd|geboekt|aangemeld)",
      "(?:collega s?|team|boekhouding|bank|magazijn|monteur|hotel)(?: [^ ,]+){0,2}? (?:heeft|hebben)(?: [^ ,]+){0,7}? <any>(?= ,|$)",
      "(?:uw|je|jouw)(?: [^ ,]+){1,3} (?:is|zijn) aan(?: [^ ,]+){1,4} (?:gegeven|overhandigd|gestuurd)(?= ,|$)",
      "collega s hebben(?: [^ ,]+){0,7}? <any>(?= ,|$)",
    ],
    announced: [
      "(?:u|je|jij) (?:ziet|zult|zal|heeft|hebt|krijgt)(?: [^ ,]+){0,8}? (?:terug|binnen \\d+|in huis|op (?:uw|je) rekening)",
      "(?:<when>)(?: [^ ,]+){0,3}? (?:komt|belt|bezoekt|hebt|heb|heeft|krijg[t]?|ontvang[t]?)(?: [^ ,]+){0,6}? (?:monteur|technicus|collega|iemand|koerier|medewerker|in huis|<thing>)",
      "(?:monteur|technicus|koerier|bezorger)(?: [^ ,]+){0,3}? (?:komt|belt|haalt|brengt|bezoekt)",
      "(?:komt|belt|bezoekt)(?: [^ ,]+){0,4}? (?:monteur|technicus|collega|iemand|koerier|medewerker|medewerkster)(?: [^ ,]+){0,3}? (?:bij (?:u|je)|<when>|langs)",
      "(?:uw|je|jouw|de|het)(?: [^ ,]+){0,2}? (?:[a-z]*(?:<thing>))(?: (?!die|dat)[^ ,]+){0,4}? (?:stopt|eindigt|loopt|vervalt|gaat|komt|vertrekt|staat)(?: [^ ,]+){0,4}? (?:<when>|eraan|terug|op weg|onderweg)",
      "(?:je|uw) (?:geld|pakket|bestelling) komt (?:eraan|terug)",
      "\\d+(?: [^ ,]+){0,3} (?:gaat|gaan|komt)(?: [^ ,]+){0,1} (?:naar|op) (?:uw|je|jouw)",
      "(?:uw|je|jouw|het|de) nieuwe(?: [^ ,]+){1,3} is(?: nu)? \\d+",
      "(?:bezorger|koerier|chauffeur|monteur)(?: [^ ,]+){0,3}? (?:keert|staat|is|komt|rijdt)(?: [^ ,]+){0,6}? (?:om|<when>|bij (?:u|je)|terug)",
      "(?:we|wij) (?!(?:kunnen|moeten|willen|mogen|zullen|hebben|zijn|helpen|vragen|raden|adviseren|bieden|danken)(?= ))[a-z]{3,}en (?:je|uw|jouw)(?= )",
    ],
  },
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
    "(?:u|je|jij) (?:ontvangt|krijgt|hoort|zult|zal|gaat)(?: [^ ,]+){0,9}? (?:[^ ,]*mail(?:tje)?|[^ ,]*bericht(?:je)?|smsje|appje|[^ ,]*bevestiging|telefoontje|sms|geld|terugbetaling|van ons|antwoord|reactie|link|brief|vervanging|bedrag|ontvangen|krijgen|horen|tegoed|factuur|vergoeding|label)",
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
  you: "uw|u|je|jou|jouw|jullie",
  tensed: "<any>|<act>|nu|al|reeds|zojuist|net|<when>",
  dated:
    "nu|inmiddels|zojuist|gisteren|vanmorgen|vanochtend|daarnet|(?:\\d+|een|twee|enkele) (?:minuten|minuut|uur|dagen|dag) geleden|vanaf (?:nu|vandaag|morgen)|per direct",
  says: "(?<!zoals )(?:u|je) (?:schrijft|schreef|zegt|zei|meldt|meldde|vertelt|vertelde|geeft aan|gaf aan|(?:heeft|hebt)(?: [^ ,]+){0,3}? (?:geschreven|gezegd|gemeld|verteld|aangegeven))",
  unless:
    "als|wanneer|zodra|indien|of|nadat|voordat|totdat|tenzij|zolang|waar|kan|kunt|kunnen|zou|zouden|mag|moet|moeten|om(?= [^,]*? te )|hoe|wilt|wil|meestal|normaal|gewoonlijk|altijd|doorgaans|die al|alleen|zal ik|pas|tot(?! (?:de )?(?:\\d|maandag|dinsdag|woensdag|donderdag|vrijdag|zaterdag|zondag|morgen|eind))|mits",
  politely:
    "als (?:u|je|er)(?: [^ ,]+){0,6} (?:vragen|vraag|iets|nog|hulp|anders|meer)|kan ik (?:u|je|nog|verder)|(?:u|je) kunt (?:dit|het|nu|de)|mocht u",
  not: "niet(?! alleen)|geen|nooit|niets|niemand|zonder|noch|nog niet",
};
