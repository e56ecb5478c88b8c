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
  own: "twój|twoja|twoje|twojego|twojej|pana|pani|państwa|to|ten|ta|te|wszystko|zamówienie|zwrot|anulowanie|zgłoszenie|konto|adres|subskrypcja|subskrypcję|płatność|kwota|pieniądze|rezerwacja|paczka|przesyłka|hasło|prośba|środki|został[aoy]?|mail|wiadomość|potwierdzenie|kolega|koleżanka|konsultant|zespół|umowa|wizyta",
  adverbs:
    "już|właśnie|teraz|także|też|pomyślnie|automatycznie|natychmiast|od razu|niezwłocznie|całkowicie|w pełni|dziś|dzisiaj|przed chwilą|zgodnie z prośbą|osobiście|panu|pani|ci|państwu|je|go|ją|to|ostatecznie|poprawnie|dla ciebie|również|przez nas|oficjalnie",
  any: "(?!(?:zaprojektowan[aeyo]|wyprodukowan[aeyo]|wykonan[aeyo] z|przetestowan[aeyo]|przeznaczon[aeyo]|przewidzian[aeyo]|ograniczon[aeyo]|uszkodzon[aeyo]|skradzion[aeyo]|zgubion[aeyo]|objet[aeyo]|wymagan[aeyo]|opisan[aeyo]|zalecan[aeyo]|dostepn[aeyo]|podan[aeyo]|uzywan[aeyo]|nazywan[aeyo]|znan[aeyo]|zwiazan[aeyo]|zabezpieczon[aeyo]|jeden|jedn[aeyo]|pewn[aeyo]|ta|te|to|otwart[aeyo] od|wazn[aeyo]|czynn[aeyo]|zgodn[aeyo]|bezplatn[aeyo]|darmow[aeyo])(?= |$))[a-z]{2,}(?:an|on|en|[eyu]t|art)[aeyoi]",
  things:
    "awaria|usterka|problem|blad|sprzet|naprawa|zamowienie|paczka|przesylka|dostawa|zwrot|wymiana|czesc|platnosc|obciazenie|oplata|kara|mandat|faktura|pieniadze|kwota|saldo|srodki|kredyt|rabat|kupon|bon|kaucja|przelew|czek|karta|konto|limit|pozyczka|haslo|kod|pin|linia|sim|roaming|plan|taryfa|umowa|abonament|subskrypcja|licencja|miejsce|bilet|sprawa|skarga|reklamacja|zgloszenie|wniosek|rezerwacja|lot|pokoj|bagaz|walizka|wizyta|adres|rezygnacja|serwer|numer",
  when: "dzis|dzisiaj|jutro|wkrotce|niebawem|(?:we |w |do |najblizszy )?(?:poniedzialek|wtorek|srode|czwartek|piatek|sobote|niedziele)|(?:w ciagu|za|w) (?:\\d+|jeden|dwa|dwoch|trzy|trzech|kilka|kilku|najblizszych)|(?:do|na|od|o) \\d+",
  open: {
    ours: [
      "(?!(?:zrozumial|zobaczyl|przeczytal|znalazl|szukal|poszukal|patrzyl|sprawdzil|zweryfikowal|wyjasnil|opisal|wspomnial|odpowiedzial|podsumowal|probowal|sprobowal|slyszal|uslyszal|powiedzial|mial|chcial|byl|moglem|mogl|dowiedzial|zauwazyl|napisal|podal|wskazal|pokazal|zaproponowal|uzyl|pomyslal|myslal|zapomnial|widzial|czytal|pisal|mowil|pytal|przejrzal|wymienil powyzej|dostal|otrzymal)(?:em|am|ismy|ysmy|esmy)(?= |$))[a-z]{2,}l(?:em|am|ismy|ysmy)",
      "(?:wlasnie |juz |zaraz |od razu )(?!(?:rozumiem|widze|szukam|sprawdzam|wiem|mysle|pytam|czytam|patrze|prosze|dziekuje|odpowiadam|wyjasniam|pokazuje|podaje)(?= |$))[a-z]{3,}(?:uje|am|ie|e) (?:sie )?[a-z]+",
      "(?!(?:rozumiem|prosze|przepraszam|dziekuje|polecam|radze|pomoge|chce|moge|wiem|widze|proponuje|zalecam|zapraszam|pytam|mam|jestem|umiem|podaje|wyjasniam|zycze|mysle|sugeruje|interesuje|obchodzi|czeka|kosztuje|dotyczy)(?= ))[a-z]{3,}(?:uje|am|em) (?:pana|pania|panstwa|cie|ci|panu|twoj[a-z]*)(?= |$)",
    ],
    happened: [
      "(?:twoj[aei]?|pana|pani|<thing>)(?: [^ ,]+){0,3} (?:jest|sa) (?:znowu|znow|ponownie|z powrotem) [^ ,]+",
      "(?:<thing>|twoj|twoja|twoje|panski|panska|pana|pani|panstwa)(?: (?!ktor[a-z]+)[^ ,]+){0,4}? (?:zostal[aoy]?|zostali|jest|sa)(?: <adv>)* <any>",
      "(?:twoj|twoja|twoje|pana|pani|panstwa|<thing>)(?: [^ ,]+){0,3}? (?!(?:by|mia|mog|musia|kosztowa|chcia)l[aoy]?(?= |$))[a-z]{2,}(?:[aeiyo]|sz|s)l[aoy]?",
      "(?:<thing>) (?:<act>|<any>)(?= ,|$)",
      "(?<=^|, )(?:[^ ,]+ ){0,2}(?:<any>|<act>)(?= ,|$)",
      "(?<=^|, )[^ ,]+ (?:zostal[aoy]?)(?: <adv>)* <any>",
      "(?<=^|, )[^ ,]+ <any> na(?: [^ ,]+){1,2}(?= ,|$)",
      "(?:tw[oó]j|twoj[aei]|pansk[a-z]+|pana|pani|panstwa|<thing>)(?: [^ ,]+){0,3}? (?:jest|sa) (?:juz )?(?:u|przy) [^ ,]+",
      "(?:obie|oba|obydwa|wszystkie|ta|ten|to)(?: [^ ,]+){1,2}? <any>(?= ,|$| do | na | od | z )",
      "(?:koledzy|kolega|kolezanka|zespol|ksiegowosc|bank|magazyn|technik|hotel)(?: [^ ,]+){0,2}? [a-z]{2,}(?:l|la|li|ly|lo)(?= )",
    ],
    announced: [
      "(?:<when>)(?: [^ ,]+){0,2}? (?:przyjedzie|przyjdzie|zadzwoni|odbierze|dostaniesz|dostanie|otrzymasz|otrzyma|bedzie|odwiedzi|wroci|wroca)",
      "(?:technik|kurier|monter|serwisant)(?: [^ ,]+){0,3}? (?:przyjedzie|przyjdzie|zadzwoni|odbierze|bedzie|odwiedzi|przyjezdza)",
      "(?:<thing>|umowa|abonament)(?: (?!ktor[a-z]+)[^ ,]+){0,3}? (?:konczy sie|wygasa|wychodzi|rusza|wraca|wroci|wroca|przyjdzie|pojdzie|skonczy sie|wygasnie)(?: [^ ,]+){0,4}? <when>",
      "\\d+(?: [^ ,]+){0,3} (?:idzie|ida|wraca|trafia|leci)(?: [^ ,]+){0,1} na (?:twoje|pana|pani|panstwa|konto)",
      "now[aeyi](?: [^ ,]+){1,3} wynosi",
      "(?:kierowca|kurier|technik|dostawca)(?: [^ ,]+){0,3}? (?:zawraca|jedzie|wraca|bedzie|jest w drodze)(?: [^ ,]+){0,5}",
    ],
  },
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
  you: "pan|pana|pani|panu|pania|panstwa|panstwu|ci|cie|tobie|ciebie|two[a-z]{1,4}|wasz[a-z]*",
  tensed: "<any>|<act>|wlasnie|juz|teraz|[a-z]{2,}(?:[aeiyo]|sz|s)l[aoyi]|<when>",
  dated:
    "teraz|wlasnie|wczoraj|dzis rano|przed chwila|(?:\\d+|dwa|dwie|kilka)? ?(?:minut[ey]?|godzin[ey]?|dni|chwile) temu|od (?:dzis|dzisiaj|teraz|jutra|zaraz)",
  says: "(?<!jak )(?:pisze|mówi|zgłasza|napisała?|zgłosiła?|powiedziała?) (?:pan|pani)|(?<!jak )(?:piszesz|mówisz|napisał[ae]ś|zgłosił[ae]ś|powiedział[ae]ś|wspomniał[ae]ś)|(?<!jak )(?:pan|pani) (?:pisze|mówi|napisała?|zgłosiła?|powiedziała?|wspomniała?)|(?<!jak )(?:wspomniała?|wspomina) (?:pan|pani)",
  unless:
    "jeśli|jeżeli|gdy|kiedy|czy|aby|żeby|po(?! \\d)|przed(?! (?:\\d|południem|końcem|świętami))|dopóki|dopiero|jak tylko|może|możesz|mogą|można|mógłby|trzeba|należy|musi|jak|zwykle|zazwyczaj|zawsze|chcesz|chce|które|który|która|tylko|gdyby|o ile|zanim|chyba|w przypadku|mamy",
  politely:
    "(?:jeśli|jeżeli|gdyby|w razie)(?: [^ ,]+){0,6} (?:pytania|pytań|coś|pomocy|jeszcze|pomóc)|czy mogę|w czym jeszcze|możesz (?:to|teraz|sprawdzić)|jak (?:prosiłeś|prosiłaś|prosił)",
  not: "nie|nigdy|nic|nikt|żaden|żadna|żadne|bez|ani",
};
