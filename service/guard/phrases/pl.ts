import type { ClaimPhrases } from "../claim-phrases.ts";

export const pl: ClaimPhrases = {
  acts: {
    cancel:
      "anulowan[aeyoi]|odwołan[aeyoi]|wstrzyman[aeyoi]|wypowiedzian[aeyo]|wycofan[aeyoi]|zrezygnowano|rozwiązan[aeyo]",
    refund:
      "zwrócon[aeyoi]|zwrócone|zrefundowan[aeyoi]|oddan[aeyo]|przelan[aeyo]|uznan[aeyo]|wypłacon[aeyo]|zrekompensowan[aeyo]",
    change:
      "zmienion[aeyo]|zmienione|zaktualizowan[aeyo]|poprawion[aeyo]|przedłużon[aeyo]|zresetowan[aeyo]|odblokowan[aeyo]|aktywowan[aeyo]|dezaktywowan[aeyo]|dodan[aeyo]|wymienion[aeyo]|zastąpion[aeyo]|odnowion[aeyo]|przeniesion[aeyo]|zablokowan[aeyo]|zastosowan[aeyo]|przełożon[aeyo]|zmodyfikowan[aeyo]|naliczon[aeyo]|włączon[aeyo]|wyłączon[aeyo]|zapisan[aeyo]",
    remove: "usunięt[aeyo]|skasowan[aeyo]|zamknięt[aeyo]|wypisan[aeyoi]",
    send: "wysłan[aeyoi]|nadan[aeyo]|przesłan[aeyo]|wystawion[aeyo]|dostarczon[aeyo]",
    create:
      "utworzon[aeyo]|otwart[aeyo]|zarezerwowan[aeyo]|zamówion[aeyo]|zarejestrowan[aeyoi]|złożon[aeyo]|założon[aeyo]|umówion[aeyo]|zlecon[aeyo]|zgłoszon[aeyo]|rozpoczęt[aeyo]|wygenerowan[aeyo]|zaplanowan[aeyo]|stworzon[aeyo]",
    handoff:
      "przekazan[aeyo]|powiadomion[aeyoi]|powiadomieni|poinformowan[aeyoi]|przekierowan[aeyoi]|eskalowan[aeyo]|zawiadomion[aeyoi]|skierowan[aeyo]|połączon[aeyoi]|przydzielon[aeyo]|zaalarmowan[aeyoi]|poproszon[aeyoi]|poproszony",
    done: "gotowe|zrobione|załatwion[aeyo]|zakończon[aeyo]|przetworzon[aeyo]|potwierdzon[aeyo]|rozwiązan[aeyo]|zrealizowan[aeyo]|wykonan[aeyo]|zatwierdzon[aeyo]|ukończon[aeyo]|pomyślnie",
  },
  does: "anuluję|anulować|zwrócę|zwracam|wyślę|wysyłam|zmienię|zmieniam|przekażę|przekazuję|usunę|usuwam|łączę|połączę|informuję|powiadomię|powiadamiam|zarezerwuję|rezerwuję|utworzę|tworzę|zajmę|zajmuję|zresetuję|resetuję|zamawiam|zamówię|przełączam|przełączę|kieruję|eskaluję|zgłaszam|zgłoszę|aktualizuję|zaktualizuję|odblokuję",
  hints:
    "[a-z]+(?:łem|łam|liśmy|łyśmy)|[a-z]+(?:owano|ono|ano|ęto)|otrzyma[a-z]*|dostan[a-z]*|skontaktuj[a-z]*|odezwi[a-z]*|zadzwoni[a-z]*|odpowie|oddzwoni|przejmie|zajmie|dołączy|napisze|przyjdzie|dotrze|trafi|drodze|toku|sukces[a-z]*|powodzeniem|zostanie|zostaną|będzie|będą|wróci|wyślemy|zwrócimy|skontaktujemy|odezwiemy|poinformujemy|anulujemy",
  own: "twój|twoja|twoje|twojego|twojej|pana|pani|państwa|to|ten|ta|te|wszystko|zamówienie|zwrot|anulowanie|zgłoszenie|konto|adres|subskrypcja|subskrypcję|płatność|kwota|pieniądze|rezerwacja|paczka|przesyłka|hasło|prośba|środki|został[aoy]?|mail|wiadomość|potwierdzenie|kolega|koleżanka|konsultant|zespół|umowa|wizyta",
  adverbs:
    "już|właśnie|teraz|także|też|pomyślnie|automatycznie|natychmiast|od razu|niezwłocznie|całkowicie|w pełni|dziś|dzisiaj|przed chwilą|zgodnie z prośbą|osobiście|panu|pani|ci|państwu|je|go|ją|to|ostatecznie|poprawnie|dla ciebie|również|przez nas|oficjalnie",
  we: [
    "(?:anulowa|odwoła|zwróci|wysła|zmieni|zaktualizowa|poprawi|przedłuży|zresetowa|odblokowa|aktywowa|doda|wymieni|usunę|usunę|skasowa|zamkną|zamknę|utworzy|otworzy|zarezerwowa|zamówi|zarejestrowa|złoży|założy|umówi|zleci|zgłosi|przekaza|powiadomi|poinformowa|przekierowa|eskalowa|połączy|załatwi|zakończy|potwierdzi|zrobi|wykona|zapisa|przela|nada|przesła|wystawi|poprosi|skontaktowa|przełączy|skierowa|usuną|wstrzyma|zawiadomi|zmodyfikowa|rozwiąza|zapisa|naliczy|przyzna|odda|wypowiedzia)(?:łem|łam|liśmy|łyśmy)",
    "(?:anuluję|zwrócę|zwracam|wyślę|wysyłam|zmienię|zmieniam|przekażę|przekazuję|usunę|usuwam|łączę|połączę|powiadomię|powiadamiam|zarezerwuję|utworzę|tworzę|zajmę się|zajmuję się|zresetuję|resetuję|przełączam|przełączę|kieruję|eskaluję|zgłaszam|zgłoszę|aktualizuję|zaktualizuję|odblokuję|już anuluję)",
  ],
  was: [
    "(?:został[aoy]?|zostali|zostałaś|zostałeś)(?: <adv>)*(?: [^ ,]+){0,2}? <act>",
    "<act> został[aoy]?",
    "<own>(?: [^ ,]+){0,6}? (?:jest|są|było|była|był)(?: <adv>)* <act>",
    "(?:już|właśnie|pomyślnie|jest|są)(?: [^ ,]+){0,3}? <act>",
    "(?:twój|twoja|twoje|pana|pani|państwa)(?: [^ ,]+){0,4} <act>(?= ,|$)",
    "(?:anulowano|zwrócono|wysłano|zmieniono|zaktualizowano|usunięto|przekazano|powiadomiono|poinformowano|utworzono|zarezerwowano|złożono|zgłoszono|potwierdzono|przelano|odblokowano|zresetowano|przedłużono|zrealizowano|wystawiono|dodano|zamknięto|otwarto|zlecono|nadano)",
    "(?:zakończył[aoy]? się|udało się|powiodł[aoy]? się) ?(?:powodzeniem|sukcesem|pomyślnie)?",
    "(?:jest|są) (?:już )?w (?:drodze|toku|trakcie)",
  ],
  soon: [
    "(?:otrzymasz|otrzyma (?:pan|pani)|otrzymają państwo|dostaniesz|dostanie (?:pan|pani)|otrzymacie)",
    "(?:pan|pani|państwo) (?:otrzyma|dostanie|otrzymają|dostaną)",
    "(?:otrzyma|dostanie)(?: [^ ,]+){0,3} (?:mail|wiadomość|potwierdzenie|zwrot|sms)",
    "(?:kolega|koleżanka|konsultant|konsultantka|pracownik|ktoś|zespół|specjalista|doradca|kierownik|człowiek|osoba)(?: [^ ,]+){0,5}? (?:skontaktuje|odezwie|zadzwoni|oddzwoni|odpowie|przejmie|zajmie|dołączy|napisze|otrzymał[a]?|wie|pracuje|sprawdza|dostał[a]?|zaraz)",
    "(?:skontaktuje|odezwie) się",
    "(?:wyślemy|zwrócimy|skontaktujemy się|odezwiemy się|poinformujemy|anulujemy|zadzwonimy|oddzwonimy)",
    "(?:twój|twoja|twoje|pana|pani|państwa|to|wkrótce)(?: [^ ,]+){0,5}? (?:zostanie|zostaną|będzie|będą)(?: <adv>)* <act>",
    "(?:pieniądze|środki|zwrot|kwota|mail|potwierdzenie|paczka|przesyłka|wiadomość)(?: [^ ,]+){0,4} (?:wrócą|trafi|trafią|przyjdzie|dotrze|dotrą|pojawi|będzie|wpłynie|wpłyną)",
  ],
  over: [
    "(?:twoj[ae]|twój|pana|pani|państwa|ta|to|ten)(?: [^ ,]+){0,3}? (?:subskrypcja|abonament|umowa|członkostwo|zamówienie|rezerwacja|konto) (?:już )?nie (?:jest|obowiązuje|działa|będzie|istnieje|odnowi)(?: [^ ,]+){0,3}",
    "(?:już )?nie (?:masz|ma pan|ma pani|mają państwo|jesteś|będziesz|zostaniesz)(?: [^ ,]+){0,3}? (?:już|subskrypcji|abonamentu|umowy|zapisan[aye]|obciążan[aye])",
  ],
  nouns: {
    cancel: "anulowanie|rezygnacja",
    refund: "zwrot|refundacja",
    change: "zmiana adresu|zmiana",
    send: "wymiana|potwierdzenie",
    create: "rezerwacja|zgłoszenie",
  },
  alone:
    "(?:(?:to|już|jest|wszystko|twoje|twój|twoja|zamówienie|zwrot|adres|subskrypcja|anulowanie|konto|rezerwacja|tak|ok|dobrze|świetnie|status|numer|nr|[a-z]*\\d\\w*) )*<act>(?: (?:dla ciebie|pomyślnie|zgodnie z prośbą))*",
  unless:
    "jeśli|jeżeli|gdy|kiedy|czy|aby|żeby|po|przed|dopóki|dopiero|jak tylko|może|możesz|mogą|można|mógłby|trzeba|należy|musi|jak|zwykle|zazwyczaj|zawsze|chcesz|chce|które|który|która|tylko|gdyby|o ile|zanim|chyba|w przypadku|mamy",
  politely:
    "(?:jeśli|jeżeli|gdyby|w razie)(?: [^ ,]+){0,6} (?:pytania|pytań|coś|pomocy|jeszcze|pomóc)|czy mogę|w czym jeszcze|możesz (?:to|teraz|sprawdzić)|jak (?:prosiłeś|prosiłaś|prosił)",
  not: "nie|nigdy|nic|nikt|żaden|żadna|żadne|bez|ani",
};
