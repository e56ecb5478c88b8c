import type { ClaimPhrases } from "../claim-phrases.ts";

export const de: ClaimPhrases = {
  acts: {
    cancel:
      "storniert|abgebrochen|gekündigt|aufgehoben|gestoppt|widerrufen|annulliert|abbestellt|rückgängig|zurückgezogen|abgesagt|beendet",
    refund:
      "erstattet|rückerstattet|zurückerstattet|zurückgezahlt|gutgeschrieben|zurücküberwiesen|überwiesen|zurückgebucht|ausgezahlt|erlassen|ersetzt",
    change:
      "geändert|aktualisiert|angepasst|umgestellt|verlängert|zurückgesetzt|entsperrt|freigeschaltet|aktiviert|deaktiviert|korrigiert|umgebucht|verschoben|hinterlegt|hinzugefügt|ausgetauscht|gesperrt|eingelöst|verknüpft|wiederhergestellt|erneuert|behoben|freigegeben|umgeleitet|eingetragen|gewechselt|pausiert|umgetauscht|priorisiert|angewendet",
    remove: "gelöscht|entfernt|geschlossen|abgemeldet",
    send: "gesendet|versendet|verschickt|geschickt|zugesandt|zugeschickt|übermittelt|abgeschickt|losgeschickt|ausgestellt|gemailt|versandt|abgesendet|rausgeschickt|zugestellt|unterwegs|übersandt",
    create:
      "erstellt|eröffnet|angelegt|gebucht|bestellt|nachbestellt|reserviert|registriert|eingereicht|vereinbart|aufgenommen|eingeleitet|veranlasst|beauftragt|angefordert|notiert|vermerkt|gespeichert|angemeldet|eingerichtet|beantragt|ausgelöst|vorgemerkt|aufgegeben|generiert|erfasst|gestartet|angestoßen",
    handoff:
      "weitergeleitet|weitergegeben|eskaliert|informiert|benachrichtigt|verständigt|übergeben|verbunden|hinzugezogen|gebeten|kontaktiert|gemeldet|bescheid|zugewiesen|alarmiert|hinzugeholt|dazugeholt|eingeschaltet",
    done: "erledigt|abgeschlossen|bearbeitet|bestätigt|gelöst|ausgeführt|durchgeführt|geklärt|verarbeitet|fertig|umgesetzt|vorgenommen|genehmigt|organisiert|gekümmert|geschafft|geregelt|erfolgreich|alles klar",
  },
  does: "storniere|erstatte|überweise|sende|schicke|ändere|leite|verbinde|informiere|lösche|buche|kündige|aktualisiere|veranlasse|übergebe|gebe|benachrichtige|kümmere|eröffne|erstelle|setze|melde|stornieren|erstatten|überweisen|senden|schicken|zusenden|zuschicken|ändern|weiterleiten|verbinden|informieren|löschen|buchen|kündigen|aktualisieren|veranlassen|übergeben|weitergeben|benachrichtigen|kümmern|eröffnen|erstellen|zurücksetzen|anpassen|reservieren|bestellen|verlängern|freischalten|entsperren|eskalieren|entfernen|gutschreiben|zurückzahlen|ersetzen|austauschen",
  hints:
    "steht|liegt|lautet|erhalten|erhältst|bekommen|bekommst|hören|hörst|melde[tn]|melden|kontaktiert|kontaktieren|kümmert|übernimmt|übernehmen|antwortet|schreibt|anrufen|ruft|zurückrufen|schaut|prüft|meldung|kommt|kommen|geht|gut|trifft|bearbeitung|weg|ihnen|dir|an|sich|gemacht|getan|ja|durch",
  own: "ihre?[nrms]?|deine?[nrms]?|sie|du|dir|die|der|das|dem|es|alles|dies|diese[rsmn]?|beide[s]?|eine?|bestellung|auftrag|rückerstattung|erstattung|stornierung|konto|adresse|abo|abonnement|ticket|betrag|anfrage|kündigung|termin|passwort",
  adverbs:
    "soeben|gerade|bereits|schon|jetzt|nun|hiermit|sofort|umgehend|gleich|erfolgreich|automatisch|auch|natürlich|gern|gerne|eben|vollständig|direkt|selbstverständlich|wunschgemäß|wie gewünscht|für sie|für dich|damit|also|endgültig|heute|inzwischen|komplett|kurz|persönlich|ihnen|dir|sie|worden|so|mittlerweile|wieder|offiziell|vorerst|nochmals",
  we: [
    "(?:ich|wir|unser team|unser system|mein kollege|meine kollegin|mein team) (?:habe|haben|hat|hatte|hab|bin)(?: [^ ,]+){0,10}?(?: , [^,]{1,40} ,)?(?: [^ ,]+){0,6}? <act>",
    "(?:habe|haben|hab) (?:ich|wir)(?: [^ ,]+){0,11}? <act>",
    "<act> (?:habe|haben) (?:ich|wir)",
    "ich (?:storniere|erstatte|überweise|sende|schicke|ändere|leite|verbinde|informiere|lösche|buche|kündige|aktualisiere|veranlasse|übergebe|benachrichtige|kümmere|eröffne|erstelle|gebe (?:das|ihr|dein|es|die|den))",
    "(?:storniere|erstatte|überweise|sende|schicke|ändere|leite|verbinde|informiere|lösche|buche|kündige|aktualisiere|veranlasse|benachrichtige|kümmere|eröffne|erstelle) ich",
    "wir (?:stornieren|erstatten|überweisen|ändern|leiten|verbinden|informieren|löschen|kündigen|veranlassen) (?:jetzt|gerade|sofort|umgehend|nun|ihnen|ihre?n?|dir|deine?n?|das|es)",
    "(?:hab|habe) ich(?: <adv>)* (?:gemacht|getan)",
    "ja , (?:hab|habe) ich(?= ,|$)",
    "(?:ich werde|werde ich)(?: [^ ,]+){0,9}? (?:<do>|stornieren lassen)",
  ],
  was: [
    "(?:ihr|dein|euer)(?:e|en)?(?: [^ ,]+){0,3} (?:steht|liegt|lautet)(?: [^ ,]+){0,2}? (?:jetzt|nun|ab sofort)",
    "<own>(?: [^ ,]+){0,8}? (?:wurden?|ist|sind|war|waren|wäre|gilt als|gelten als)(?: [^ ,]+){0,8}? <act>",
    "(?:wurden?|ist|sind) <own>(?: [^ ,]+){0,8}? <act>",
    "(?:wurden?|ist|sind)(?: <adv>)+(?: [^ ,]+){0,6}? <act>",
    "<act> worden",
    "(?:bestellung|stornierung|erstattung|rückerstattung|änderung|kündigung|buchung|anfrage)(?: [^ ,]+){0,3} (?:erfolgreich|bestätigt|abgeschlossen|erledigt)(?= ,|$)",
    "erfolgreich <act>",
    "(?:stornierung|erstattung|rückerstattung|kündigung|änderung|buchung) ist(?: <adv>)* durch(?= ,|$)",
  ],
  soon: [
    "(?:ihre?[nrms]?|deine?[nrms]?|ihnen|dir|sie|du|es|das)(?: [^ ,]+){0,6}? (?:wird|werden|werde|wirst)(?: [^ ,]+){0,8}? <act>",
    "(?:wird|werden|wirst) (?:ihnen|dir|ihre?[nrms]?|deine?[nrms]?|sie|du|nun|jetzt)(?: [^ ,]+){0,8}? <act>",
    "(?:wird|werden)(?: [^ ,]+){0,4}? (?:gerade|jetzt|nun|soeben|umgehend|in kürze|heute)(?: [^ ,]+){0,5}? <act>",
    "(?:sie|du) (?:erhalten|erhältst|bekommen|bekommst|werden|wirst|hören|hörst)(?: [^ ,]+){0,10}?(?: |e ?)(?:[^ ,]*mail|[^ ,]*nachricht|[^ ,]*bestätigung|anruf|sms|geld|gutschrift|[^ ,]*erstattung|ersatz|von uns|antwort|[^ ,]*link|brief|rückmeldung|gutschein|rechnung|ersatzlieferung|rückruf|betrag|kontaktiert|informiert|benachrichtigt|verbunden|weitergeleitet|angerufen)",
    "(?:erhalten|erhältst|bekommen|bekommst|hören|hörst|werden|wirst) (?:sie|du)(?: [^ ,]+){0,8}?(?: |e ?)(?:[^ ,]*mail|[^ ,]*nachricht|[^ ,]*bestätigung|anruf|sms|geld|gutschrift|[^ ,]*erstattung|ersatz|von uns|rückmeldung|rückruf|kontaktiert|informiert|benachrichtigt|verbunden|weitergeleitet)",
    "(?:kolleg(?:e|in|en)|mitarbeiter(?:in)?|jemand|team|mensch|berater(?:in)?|techniker|support|kundenservice|abteilung|spezialist|vorgesetzter)(?: [^ ,]+){0,5}? (?:wird|werden|meldet|melden|ruft|kontaktiert|ist|wurde|kümmert|übernimmt|schaut|prüft|antwortet|schreibt|hat|tritt)(?: [^ ,]+){0,8}? (?:melden|kontaktieren|anrufen|kümmern|übernehmen|bei ihnen|bei dir|mit ihnen|mit dir|sich|informiert|benachrichtigt|unterwegs|zurück|darum|bei|an|ihnen|dir|darüber|bescheid|prüfen|antworten|erhalten|dran)",
    "wird (?:gemacht|erledigt)(?= ,|$)",
    "(?:wird|meldet) sich(?: [^ ,]+){0,4} (?:kolleg(?:e|in)|mitarbeiter(?:in)?|jemand|team|berater(?:in)?|mensch)",
    "(?:kolleg(?:e|in)|mitarbeiter(?:in)?|jemand|team) (?:kümmert|meldet) sich",
    "wir (?:melden uns|werden uns|kümmern uns|senden ihnen|schicken ihnen|senden dir|schicken dir|werden (?:ihnen|ihre?n?|dir|deine?n?|sie)|rufen sie)",
    "(?:ihr|ihre|das|dein|deine|der|die|eine)(?: [^ ,]+){0,3} (?:geld|erstattung|betrag|bestätigung|mail|gutschrift|ersatzlieferung|paket|rückerstattung)(?: [^ ,]+){0,4} (?:kommt|trifft|geht|ist (?:auf dem weg|unterwegs|in bearbeitung)|folgt)",
    "<own>(?: [^ ,]+){0,3} (?:ist|sind)(?: <adv>)* (?:auf dem weg|in bearbeitung|unterwegs)",
  ],
  over: [
    "(?:ihre?|deine?|der|die|das|dieses|diese|dieser)(?: [^ ,]+){0,3}? (?:abo|abonnement|vertrag|mitgliedschaft|tarif|bestellung|buchung|reservierung|konto|probeabo)(?: [^ ,]+){0,3}? (?:nicht mehr|nicht weiter)(?: (?:weiter|aktiv|gültig|verlängert|fort|offen|automatisch|läuft|weiterläuft))?",
    "(?:sie haben|du hast|haben sie|hast du)(?: [^ ,]+){0,3}? kein(?:e|en)?(?: aktive[snr]?| laufende[snr]?| gültige[snr]?)? (?:abo|abonnement|vertrag|mitgliedschaft|bestellung|buchung)(?: mehr)?",
    "(?:ihnen|dir|sie|es|du)(?: [^ ,]+){0,4}? (?:nichts|nicht) mehr (?:abgebucht|berechnet|belastet|abonniert|angemeldet|registriert)",
  ],
  nouns: {
    cancel: "stornierung|kündigung",
    refund: "(?:rück)?erstattung|gutschrift|rückzahlung",
    change: "adressänderung|änderung",
    send: "ersatzlieferung|bestätigung",
    create: "buchung|ticket|neubestellung",
  },
  alone:
    "(?:(?:alles|das|ist|schon|bereits|ihre?|deine?|die|der|bestellung|erstattung|rückerstattung|adresse|anfrage|auftrag|abo|konto|stornierung|kündigung|jetzt|nun|erfolgreich|ja|ok|gut|super|perfekt|gern|wurde|nr|nummer|[a-z]*\\d\\w*|ticket|termin|änderung) )*<act>(?: (?:für sie|für dich|worden|gemacht))*",
  unless:
    "wenn|falls|sobald|ob|sofern|nachdem|bevor|bis|solange|kann|können|könnte|könnten|darf|dürfen|muss|müssen|soll|sollten|um|wie|möchten|möchte|würde|würden|normalerweise|üblicherweise|in der regel|immer|erst|nur|die bereits|welche|soll ich",
  politely:
    "(?:wenn|falls|sollten) (?:sie|du|noch|es)(?: [^ ,]+){0,6} (?:fragen?|etwas|weitere[snr]?|hilfe|sonst|anderes|wünsche)|kann ich (?:sonst|ihnen|dir|noch)|sie können (?:das|den|die|es|nun|jetzt)",
  asks: "(?:(?:und|oder|also) )?(?:ist|sind|war|waren|wurden?|wird|werden|hat|haben|habe|hatten?|kann|können|soll|sollen|darf|möchten|was|wann|wo|warum|wer|wie|welche[rsmn]?)",
  not: "nicht|kein[a-z]*|nie|niemals|nichts|niemand|ohne|weder|noch nicht|leider nicht",
};
