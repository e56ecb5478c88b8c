/** How a language asks for a person, as sources of regular expressions over words without accents and punctuation. */
export interface RequestPhrases {
  /** Words that may stand around a request. */
  readonly polite: string;
  /** A person, with article and adjectives. It is a request even without a verb: "agent please". */
  readonly person: string;
  /** Somebody who is meant only beside a verb: "talk to someone". */
  readonly someone: string;
  /** Whole requests. `<person>`, `<anyone>` (a person or someone) and `<polite>` stand for the patterns above. */
  readonly requests: readonly string[];
  /** Words that begin the subject after a request: "about my order". */
  readonly topic?: string;
  /** The subject before a request, in languages that put it there. */
  readonly topicBefore?: string;
  /** False if words are not separated by spaces. */
  readonly isSpaced?: false;
}

/** Words that customers of every language write around a request: "Hi, vorrei parlare con un operatore". */
export const POLITE_EVERYWHERE = "hi|hey|hello|hallo|hola|ciao|bonjour|ok|okay|oke|okej|ок";

export type LanguageOfRequest = keyof typeof REQUEST_PHRASES;

/** The twelve languages that most websites are in, and Arabic. */
export const REQUEST_PHRASES = {
  en: {
    polite:
      "please|pls|plz|right now|now|asap|thanks|thank you|just|yes|yeah|yep|sure|then|still|no|sorry|immediately|instead|today|but|good morning|good afternoon|there",
    person:
      "(?:an? |the |your |another )?(?:(?:real|live|actual|human|proper|living|support|customer service|customer support|service) )*(?:human|human being|person|agent|representative|rep|operator|adviser|advisor|teammate|team member)|real people|live people",
    someone:
      "(?:someone|somebody|anyone|anybody)(?: (?:else|real|human|(?:from|on|in) (?:your |the )?(?:team|support|customer service)|at support|in support))?|(?:your |the )?(?:customer (?:service|support|care)|support team|support|staff|team)|(?:a |the |your )?(?:manager|supervisor|boss)|humans|people|an employee",
    requests: [
      "(?:(?:(?:i|we) )?(?:(?:really|just|still|would|d|only|do) )*(?:want|wanna|need|like|love|prefer|wish|rather|am trying|m trying)(?: to)? |(?:can|could|may) (?:i|we) |how (?:do|can) i |let me |is it possible to |is there (?:a|any) way to |let s |wanna )?<polite>(?:speak|talk|chat|speaking|talking|get through|get hold|be connected|be transferred|be put through|get connected) <polite>(?:to|with|of) <anyone>",
      "(?:(?:i|we) (?:(?:really|just|still|would|d|only) )*(?:want|need|like|prefer|demand)|need|want|give me|get me|find me|bring me|send me|call me|(?:can|could|may) (?:i|we) (?:get|have)|contact) <polite>(?:help from )?<person>",
      "(?:(?:can|could|would|will) you )?<polite>(?:connect|transfer|put|hand|pass|forward|switch|redirect|escalate) (?:me|us|this)(?: (?:through|over|on))? (?:to|with) <anyone>",
      "(?:can|could|may) <person> <polite>(?:help|assist|join|chat with|talk to|contact|call)(?: (?:me|us|here|this chat))?",
      "(?:is|are) there <person>(?: (?:here|available|online|around))?",
      "is there <anyone> (?:here )?(?:(?:who |that )?(?:i|we) can|to) (?:talk|speak|chat) (?:to|with)",
      "(?:i|we) (?:do not|don t|dont) (?:want|wish) to (?:talk|speak|chat) (?:to|with) (?:an? |this |your )?(?:bot|robot|machine|ai|computer|chatbot|ai agent)",
    ],
    topic:
      "about|regarding|concerning|because|since|on my|for help|with my|who (?:can|could|speaks|knows)|that (?:can|could)|to (?:help|sort|fix|discuss|ask|cancel|change)|not|instead of|and",
  },
  de: {
    polite:
      "moin|servus|gruss gott|guten (?:tag|morgen|abend)|bitte|danke|vielen dank|jetzt|sofort|gerne|gern|mal|doch|endlich|einfach|nur|lieber|direkt|bitte mal|ja|gut|dann|aber|trotzdem|nein",
    person:
      "(?:einen |einem |einer |eine |ein |den |dem |ihren |ihrem )?(?:(?:echte[nrsm]?|richtige[nrsm]?|menschliche[nrsm]?|lebende[nr]?|reale[nr]?|wirkliche[nr]?) )*(?:mensch(?:en)?|person|mitarbeiter(?:in)?|agent(?:en|in)?|kundenberater(?:in)?|berater(?:in)?|ansprechpartner(?:in)?|servicemitarbeiter(?:in)?|operator)(?: (?:aus fleisch und blut|vom support|vom kundenservice|vom kundendienst))?",
    someone:
      "jemande[nm](?: (?:anderem|echtem|richtigem|vom (?:support|team|kundenservice|kundendienst)|aus (?:dem|ihrem|eurem) team))?|jemand(?: (?:echtem|anderem|vom (?:support|team|kundenservice|kundendienst)))?|(?:dem |ihrem |eurem )?(?:kundenservice|kundendienst|support)|(?:einem |einen |einer |eine |ihrem |ihren |eurem |euren |dem |den |der )?(?:chef(?:in)?|vorgesetzten|teamleiter(?:in)?|filialleiter(?:in)?)",
    requests: [
      "(?:(?:ich|wir) (?:m(?:o|oe)chten?|will|wollen|w(?:u|ue)rde|muss|kann) |(?:kann|k(?:o|oe)nnte|darf) (?:ich|man) |k(?:o|oe)nnen wir |lassen sie mich |wie kann ich )?<polite>(?:(?:bitte|gerne|gern) )?mit <anyone> <polite>(?:sprechen|reden|chatten|schreiben|verbunden werden|verbinden|telefonieren)",
      "(?:ich (?:brauche|m(?:o|oe)chte|will|h(?:a|ae)tte|verlange)|geben sie mir|gib mir|holen sie|hol mir|gibt es(?: hier| auch)?) <polite>(?:hilfe von )?<person>",
      "(?:ich (?:m(?:o|oe)chte|will) |kann ich )?<polite><anyone> <polite>sprechen",
      "(?:verbinden sie|verbinde|verbindet) mich <polite>mit <anyone>",
      "(?:(?:k(?:o|oe)nnen|k(?:o|oe)nnten) sie|kannst du|k(?:o|oe)nnt ihr) mich <polite>(?:mit <anyone> verbinden|an <anyone> weiterleiten)",
      "(?:leiten sie|leite) mich <polite>an <anyone> weiter",
      "ich (?:m(?:o|oe)chte|will) nicht mit (?:einem|einer|dem|diesem) (?:bot|roboter|maschine|computer|chatbot|ki) (?:sprechen|reden|schreiben|chatten)",
    ],
    topic: "wegen|uber|ueber|bezuglich|zu meine[rm]|zum thema|weil|da|statt|nicht|und",
  },
  fr: {
    polite:
      "salut|coucou|bonsoir|svp|stp|s il vous plait|s il te plait|merci|maintenant|tout de suite|directement|plutot|oui|d accord|mais|alors|quand meme|non|enfin|immediatement",
    person:
      "(?:une? |l |le |la |votre )?(?:(?:vrai|vraie|veritable) )?(?:humain|etre humain|agent|conseiller|conseillere|operateur|operatrice|representant)(?: (?:humaine?|reel|reelle|clientele|client|en ligne|du service client))*|une personne|(?:une )?(?:vraie personne|personne (?:reelle|humaine|physique))",
    someone:
      "quelqu un(?: (?:d humain|de reel|du service client|de votre equipe|d autre))?|(?:le |votre )?(?:service client|service clients|service clientele|support)|votre equipe|des humains|(?:un |une |le |la |votre )?(?:responsable|superieur|manager|directeur|directrice)",
    requests: [
      "(?:(?:je|j|nous) (?:veux|voudrais|souhaite|souhaiterais|aimerais|prefere|prefererais|dois|voulons) |(?:est ce que )?je (?:peux|pourrais) |puis je |peut on |on peut |pourrais je |pouvons nous |comment |laissez moi |est il possible de )?<polite>(?:parler|discuter|echanger|chatter|etre mise? en (?:relation|contact)|entrer en contact) <polite>(?:a|avec) <anyone>",
      "(?:je veux|je voudrais|j aimerais|je souhaite|j ai besoin d|il me faut|donnez moi|passez moi|appelez|y a t il|je demande) <polite><person>",
      "(?:(?:pouvez|pourriez) vous |merci de |veuillez )?<polite>(?:me )?(?:mettez|mettre|transferez|transferer|connectez|connecter|passez|passer|redirigez|rediriger)(?: moi)?(?: en (?:relation|contact))? (?:(?:avec|a|vers) )?<anyone>",
      "(?:(?:je (?:veux|voudrais|souhaite|peux)|puis je|comment) )?<polite>(?:contacter|joindre) <person>",
      "je ne veux pas parler (?:a|avec) (?:un |une |ce |cette )?(?:robot|bot|machine|ia|ordinateur|chatbot)",
    ],
    topic: "a propos|au sujet|concernant|pour|car|parce que|de ma|de mon|sur|et|pas|qui (?:peut|pourra)",
  },
  es: {
    polite:
      "buenas|buenos dias|buenas tardes|por favor|porfa|gracias|ahora mismo|ahora|ya|mejor|directamente|urgente|si|vale|de acuerdo|bueno|pero|entonces|no",
    person:
      "(?:una? |el |la |algun |alguna |su )?(?:(?:verdadero|verdadera) )?(?:humano|ser humano|persona|agente|asesora?|operadora?|representante|ejecutiv[oa])(?: (?:human[oa]|real|de verdad|de carne y hueso|de atencion al cliente|de soporte|en vivo))*",
    someone:
      "alguien(?: (?:real|de verdad|humano|mas|de(?:l| su)? (?:equipo|soporte|atencion al cliente)))?|(?:el )?(?:servicio (?:al cliente|de atencion al cliente)|soporte)|atencion al cliente|gente real|(?:un |una |el |la |su )?(?:responsable|supervisora?|encargad[oa]|gerente)",
    requests: [
      "(?:(?:yo )?(?:quiero|quisiera|necesito|deseo|prefiero|preferiria|me gustaria|puedo|podria|podemos|se puede|es posible|como puedo|dejame|dejeme) )?<polite>(?:hablar|chatear|conversar|comunicarme|contactarme) <polite>(?:con|a) <anyone>",
      "(?:quiero|necesito|quisiera|deme|dame|busco|hay|exijo) (?:a )?<polite><person>",
      "(?:(?:me )?(?:puedes?|pueden|podrias?|podrian) )?<polite>(?:pasarme|paseme|pasame|pasar|transferirme|transfierame|transfiereme|transferir|conectarme|conecteme|conectame|conectar|comuniqueme|comunicame|comunicarme|comunicar|ponerme|pongame|ponme|derivarme) (?:con|a) <anyone>",
      "(?:(?:quiero|quisiera|necesito|como puedo) )?<polite>contactar (?:con |a )?<person>",
      "me (?:pasas?|pasan|pones?|comunicas?) con <anyone>",
      "no quiero hablar con (?:un |una |este |esta )?(?:robot|bot|maquina|ia|chatbot|ordenador)",
    ],
    topic: "sobre|acerca|por|para|de mi|porque|respecto|que (?:me|pueda)|y|no",
  },
  it: {
    polite:
      "salve|buongiorno|buonasera|per favore|per piacere|grazie|ora|adesso|subito|direttamente|piuttosto|si|va bene|d accordo|ma|allora|no",
    person:
      "(?:un |una |l |il |la |vostro )?(?:(?:vero|vera) )?(?:umano|essere umano|persona|agente|operatore|operatrice|consulente|addetto|rappresentante)(?: (?:uman[oa]|reale|ver[oa]|in carne e ossa|del servizio clienti|dell assistenza))*",
    someone:
      "qualcuno(?: (?:di (?:reale|vero|umano)|del (?:team|servizio clienti|supporto|vostro team)|dell assistenza))?|(?:il |l )?(?:servizio clienti|assistenza|assistenza clienti)|(?:un |una |il |la |il vostro )?(?:responsabile|supervisore|direttore)",
    requests: [
      "(?:(?:io )?(?:voglio|vorrei|desidero|posso|potrei|preferisco|preferirei|ho bisogno di|mi piacerebbe|devo|si puo|e possibile|come posso|fatemi|fammi|possiamo) )?<polite>(?:parlare|chattare|comunicare|conversare|essere mess[oa] in contatto) <polite>(?:con|a) <anyone>",
      "(?:voglio|vorrei|mi serve|ho bisogno di|datemi|dammi|mi passi|mi passate|passatemi|passami|mi passa|(?:mi puo|puo) passar(?:e|mi)|contattare|chiamate|c e) <polite><person>",
      "(?:(?:mi )?(?:puo|puoi|potete|potrebbe|potreste) )?<polite>(?:mi )?(?:mettermi|mettere|metta|mettete|mettetemi|collegarmi|collegare|collegatemi|trasferirmi|trasferire|trasferitemi|passarmi)(?: in (?:contatto|comunicazione))? (?:con|a) <anyone>",
      "non voglio parlare con (?:un |una |questo |questa )?(?:robot|bot|macchina|ia|chatbot|computer)",
    ],
    topic: "per|riguardo|sul|sulla|su|del mio|della mia|perche|circa|che (?:mi|possa)|e|non",
  },
  pt: {
    polite:
      "ola|oi|bom dia|boa tarde|boa noite|por favor|por gentileza|obrigad[oa]|agora|ja|imediatamente|diretamente|sim|certo|esta bem|ta bom|mas|entao|nao",
    person:
      "(?:uma? |o |a |algum |alguma )?(?:(?:verdadeir[oa]) )?(?:humano|ser humano|pessoa|agente|atendente|operadora?|representante|assistente humano|atendimento humano)(?: (?:human[oa]|real|de verdade|de carne e osso|do (?:suporte|atendimento|apoio ao cliente)))*",
    someone:
      "alguem(?: (?:real|de verdade|humano|da (?:equipe|equipa)|do (?:suporte|atendimento|apoio)))?|(?:o )?(?:suporte|atendimento|apoio ao cliente|servico ao cliente)|(?:um |uma |o |a )?(?:gerente|supervisora?|responsavel|encarregad[oa])",
    requests: [
      "(?:(?:eu )?(?:quero|queria|gostaria de|preciso(?: de)?|posso|poderia|prefiro|desejo|como posso|como faco para|da para|e possivel|tem como|me deixe|deixe me|podemos) )?<polite>(?:falar|conversar|teclar) <polite>(?:com|a) <anyone>",
      "(?:quero|queria|preciso de|preciso|gostaria de|me de|chame|tem|exijo) <polite><person>",
      "(?:(?:voce )?(?:pode|podem|poderia|podia) )?<polite>(?:me )?(?:transferir|transfira|transfere|passar|passe|passa|conectar|conecte|conecta|ligar|encaminhar|encaminhe)(?: me)? (?:para|com|a|ao) <anyone>",
      "nao quero falar com (?:um |uma |este |esta |esse )?(?:robo|bot|maquina|ia|chatbot|computador)",
    ],
    topic: "sobre|acerca|a respeito|por|para|porque|do meu|da minha|que (?:me|possa)|e|nao",
  },
  nl: {
    polite:
      "hoi|dag|goedemorgen|goedemiddag|goedenavond|alstublieft|alsjeblieft|aub|ajb|graag|nu|bedankt|dank u|dankjewel|direct|even|liever|gewoon|meteen|ja|goed|maar|dan|toch|nee",
    person:
      "(?:een |de |jullie |uw )?(?:(?:echte?|levende?|menselijke?) )*(?:mens|persoon|medewerker|medewerkster|agent|adviseur|vertegenwoordiger|klantenservicemedewerker)(?: van (?:vlees en bloed|de klantenservice|klantenservice|support))?",
    someone:
      "iemand(?: (?:anders|van (?:de |het |jullie )?(?:klantenservice|team|support)))?|(?:de |jullie |uw )?(?:klantenservice|support)|(?:echte )?mensen|(?:een |de |uw |jullie )?(?:manager|leidinggevende|teamleider)",
    requests: [
      "(?:ik (?:wil|zou|moet|kan|mag) |(?:kan|mag|zou) ik |kunnen we |hoe kan ik |laat me |is het mogelijk om )?<polite>met <anyone> <polite>(?:kunnen |willen |te )?(?:spreken|praten|chatten|bellen|verbonden worden)",
      "(?:ik (?:wil|zou) |(?:kan|mag|zou) ik |hoe kan ik )?<polite><anyone> <polite>(?:kunnen |willen )?(?:spreken|aan de lijn)",
      "(?:ik wil |kan ik )?<polite>(?:praten|spreken|chatten) met <anyone>",
      "(?:ik (?:wil|heb|zoek|eis)|geef (?:me|mij)|kan ik|mag ik|is er) <polite><person>(?: (?:nodig|hebben|aanwezig|beschikbaar))?",
      "(?:(?:kunt u|kun je|wilt u|kan je|kunnen jullie) )?(?:mij|me) <polite>(?:(?:door)?verbinden met <anyone>|met <anyone> (?:door)?verbinden)",
      "verbind (?:mij|me)(?: door)? <polite>(?:met|naar) <anyone>(?: door)?",
      "ik wil niet met (?:een |deze |die )?(?:bot|robot|machine|computer|chatbot|ai) (?:praten|spreken|chatten)",
    ],
    topic: "over|omdat|want|vanwege|betreffende|die (?:me|mij)|en|niet|in plaats van",
  },
  pl: {
    polite:
      "dzien dobry|dobry wieczor|czesc|hej|witam|prosze|dziekuje|teraz|natychmiast|od razu|juz|tak|dobrze|ale|jednak|nie",
    person:
      "(?:(?:zyw(?:ym|ego|a|y)|prawdziw(?:ym|ego|a|y)|realn(?:ym|a)) )*(?:czlowiek(?:iem|a)?|konsultant(?:em|a|ka)?|agent(?:em|a)?|pracownik(?:iem|a)?|osob[aey]|doradc[aey]|operator(?:em|a)?|przedstawiciel(?:em|a)?)(?: (?:z krwi i kosci|obslugi|obslugi klienta|biura obslugi klienta))?",
    someone:
      "kims(?: (?:z (?:zespolu|obslugi|obslugi klienta|waszego zespolu)|prawdziwym|zywym|innym))?|obsluga(?: klienta)?|biurem obslugi klienta|ludzmi|(?:waszym )?(?:kierownikiem|kierowniczka|menedzerem|przelozonym)",
    requests: [
      "(?:(?:ja )?(?:chce|chcialbym|chcialabym|moge|mozna|czy moge|czy mozna|czy moglbym|czy moglabym|potrzebuje|prosze o|poprosze o|wole|wolalbym|jak moge|musze) )?<polite>(?:porozmawiac|rozmawiac|rozmowe|rozmowa|pogadac|popisac|polaczyc sie|skontaktowac sie|kontakt|polaczenie)(?: bezposrednio)? (?:z|ze) <anyone>",
      "(?:chce|potrzebuje|poprosze o|poprosze|prosze o|dajcie mi|daj mi|czy jest tu|czy jest tam) <polite><person>",
      "(?:(?:czy (?:mozesz|mozecie|moglbys|mogliby panstwo)|prosze) )?(?:mnie )?(?:polaczyc|polacz|polaczcie|przelaczyc|przelacz|przelaczcie|przekieruj|przekierowac)(?: mnie)? (?:z|ze|do) <anyone>",
      "nie chce (?:rozmawiac|gadac|pisac) z (?:botem|robotem|maszyna|automatem|chatbotem|komputerem|ai)",
    ],
    topic: "w sprawie|o|na temat|bo|poniewaz|w kwestii|zeby|i|ktory|a nie",
  },
  ru: {
    polite:
      "здравствуйте|здравствуй|привет|добрый день|добрый вечер|доброе утро|пожалуйста|спасибо|сейчас|срочно|прошу|уже|просто|лучше|напрямую|да|хорошо|ладно|но|тогда|нет",
    person:
      "(?:(?:жив(?:ой|ым|ого|ому)|реальн(?:ый|ым|ого|ому)|настоящ(?:ий|им|его|ему)) )*(?:человек(?:ом|а|у)?|оператор(?:ом|а|у)?|сотрудник(?:ом|а|у)?|менеджер(?:ом|а|у)?|консультант(?:ом|а|у)?|специалист(?:ом|а|у)?|агент(?:ом|а|у)?|представител(?:ь|ем|я|ю))(?: (?:поддержки|службы поддержки|вашей команды))?",
    someone:
      "кем (?:нибудь|то)(?: (?:живым|из (?:поддержки|команды|вашей команды|сотрудников|людей)))?|служб(?:ой|у) поддержки|(?:тех)?поддержк(?:ой|у)|(?:живыми )?людьми|(?:с |со )?(?:вашим )?(?:руководителем|начальником|руководством)",
    requests: [
      "(?:(?:я )?(?:хочу|хотел бы|хотела бы|хотелось бы|предпочел бы|могу(?: ли)?(?: я)?|можно(?: ли)?|можно мне|мне нужно|мне надо|нужно|надо|дайте|дайте мне|как|мне бы|как мне)(?: я)? )?<polite>(?:поговорить|пообщаться|общаться|связаться|говорить|разговаривать) <polite>(?:с|со) <anyone>",
      "(?:(?:мне )?(?:нужен|хочу|надо|требуется|дайте|дайте мне|позовите|пригласите|вызовите|позови|есть ли|есть|можно|подключите)) <polite><person>",
      "(?:(?:вы )?(?:можете|могли бы вы|можете ли вы|не могли бы вы) )?<polite>(?:меня )?(?:соедините|соединить|соедини|переключите|переключить|переключи|переведите|перевести|переведи|свяжите|связать)(?: меня)? <polite>(?:с|со|на) <anyone>",
      "(?:я )?не хочу (?:говорить|разговаривать|общаться) с (?:ботом|роботом|машиной|компьютером|ии|чат ботом)",
    ],
    topic: "по поводу|о|об|насчет|по|чтобы|потому|касательно|про|и|а не",
  },
  tr: {
    polite:
      "merhaba|selam|lutfen|tesekkurler|tesekkur ederim|simdi|hemen|iyi gunler|iyi aksamlar|artik|acilen|direkt|dogrudan|evet|tamam|peki|ama|hayir",
    person:
      "(?:(?:bir|gercek|canli) )*(?:insan(?:la|a)?|temsilci(?:yle|ye)?|yetkili(?:yle|ye)?|operator(?:le|e)?|musteri temsilcisi(?:yle|ne)?|musteri hizmetleri temsilcisi(?:yle|ne)?|gorevli(?:yle|ye)?|calisan(?:la|a)?)(?: ile)?|gercek (?:bir )?kisi(?:yle|ye)?(?: ile)?|canli deste(?:k|ge|kle)",
    someone:
      "(?:yetkili )?biri(?:yle|si|siyle|ne|sine)?(?: ile)?|(?:bir )?kisi(?:yle|ye)?(?: ile)?|musteri hizmetleri(?:yle|ne)?(?: ile)?|destek ekibi(?:yle|ne)?(?: ile)?|(?:bir )?(?:yoneticiniz|yonetici|muduruz|mudur)(?:le|yle)?(?: ile)?",
    topicBefore: "(?:(?:[^ ]+ ){1,4}(?:hakkinda|icin|konusunda|ilgili) )?",
    requests: [
      "<anyone> <polite>(?:gorusmek|konusmak|yazismak|iletisime gecmek|iletisim kurmak|baglanmak) (?:istiyorum|istiyoruz|isterim|isterdim|istiyordum|lazim|mumkun mu)",
      "<anyone> <polite>(?:nasil )?(?:gorusebilir|konusabilir|yazisabilir|baglanabilir)(?: mi(?:yim|yiz)|im)",
      "<anyone> (?:gorusmem|konusmam) (?:lazim|gerek|gerekiyor)",
      "(?:beni )?<polite><anyone> <polite>(?:bagla|baglan|baglayin|baglar misin|baglar misiniz|baglayabilir misiniz|aktar|aktarin|aktarir misiniz|yonlendir|yonlendirin|yonlendirir misiniz)",
      "<person> (?:istiyorum|lazim|isterim|var mi|verin|rica ediyorum)",
      "(?:bir )?(?:bot|robot|makine|yapay zeka)(?:la|yla| ile) (?:konusmak|gorusmek|yazismak) istemiyorum",
    ],
  },
  zh: {
    isSpaced: false,
    polite:
      "好的|是的|你好|您好|请问|请|請問|請|谢谢|謝謝|吧|在吗|在嗎|吗|嗎|一下|现在|現在|马上|馬上|麻烦|麻煩|啊|呢|好吗|可以吗|帮我|幫我|给我|給我|我|想要|想|要|需要|希望|能不能|可不可以|能|可以|直接|立刻|不要机器人|有没有|有",
    person:
      "(?:一个|一個|一位|个|位|真正的|真实的|你们的?|你們的?)*(?:真人客服|人工客服|人工服务|人工服務|在线客服|线上客服|線上客服|客服人员|客服人員|客服代表|客服专员|真人|人工|活人|客服|工作人员|工作人員|人工坐席|经理|經理|主管|负责人|負責人)",
    someone: "(?:一个|一個|真正的|真的|活的)*人",
    requests: [
      "(?:转接|转到|转给|转|轉接|轉到|轉|接通|接|找|联系|聯繫|联系到|连接|呼叫|叫|换|換)<polite><person><polite>(?:服务|服務|聊|处理|處理)?",
      "(?:跟|和|与|同|找)<anyone>(?:说话|說話|说|谈谈|談談|谈话|谈|談|聊聊|聊天|聊|对话|對話|沟通|溝通|讲话|講話|通话|交谈|交談)",
      "不想(?:跟|和|与)(?:机器人|機器人|人工智能|ai)(?:说话|說話|聊天|聊|谈|对话|沟通)",
    ],
    topic: "关于|關於|因为|因為|处理|處理|解决|解決|询问|咨询",
  },
  ja: {
    isSpaced: false,
    polite:
      "こんにちは|こんばんは|すみません|すみませんが|お願いいたします|お願いします|お願い|おねがいします|ください|下さい|今すぐ|すぐに|直接|いいえ|ありがとうございます|ありがとう|至急|はい|わかりました|分かりました|でも|です",
    person:
      "(?:本物の|生身の|実際の|人間の|有人の|サポートの|カスタマーサポートの)*(?:人間の方|人間|オペレーター|オペレータ|担当者の方|担当者|担当の方|スタッフの方|スタッフ|有人チャット|有人対応|係の人|係員|エージェント)",
    someone:
      "(?:本物の|生身の|実際の|中の)*人|誰か|サポート|カスタマーサポート|カスタマーサービス|責任者|上司|店長",
    topicBefore: "(?:.{1,30}(?:について|に関して|の件で) ?)?",
    requests: [
      "<anyone>(?:と|に|へ|を)<polite>(?:話したい|話がしたい|話をしたい|お話ししたい|お話したい|チャットしたい|相談したい|問い合わせたい|連絡したい|質問したい)(?:です|のですが|んですが|んです|のです|と思います)?",
      "<anyone>(?:と|に|へ)<polite>(?:話せますか|話せませんか|話すことはできますか|話すにはどうすれば(?:いい|よい)ですか|話させて)",
      "<anyone>(?:に|へ|を)<polite>(?:つない|繋い|つなげ|繋げ|代わっ|かわっ|替わっ|呼ん|出し|転送し)(?:て|で)(?:いただけますか|もらえますか|くれますか|ほしい|欲しい)?(?:です)?",
      "<person>(?:は|と)?(?:いますか|いませんか|を希望します|希望|を希望|でお願い|を)",
      "(?:ボット|ロボット|ai|機械)(?:とは?|じゃなくて|ではなく)(?:話したくない|話したくありません|人と話したい)(?:です)?",
    ],
  },
  ar: {
    polite:
      "مرحبا|السلام عليكم|أهلا|من فضلك|من فضلكم|لو سمحت|لو سمحتم|رجاء|رجاءا|شكرا|الآن|حالا|فورا|مباشرة|نعم|حسنا|طيب|تمام|لكن|لا",
    person:
      "[بل]?(?:شخص|إنسان|موظف|موظفة|ممثل|وكيل|مندوب|مستشار|الموظف|بشري)(?: (?:حقيقي|بشري|فعلي|مباشر|خدمة العملاء|الدعم|من (?:الدعم|خدمة العملاء|فريقكم|فريق الدعم)))*",
    someone:
      "[بل]?(?:أحدا|أحد(?: (?:من )?(?:الموظفين|موظفيكم|فريق الدعم|فريقكم|الفريق|ما))?|أحدهم|خدمة العملاء|فريق الدعم|الدعم(?: الفني)?)|(?:ال)?(?:مدير|مسؤول)",
    requests: [
      "(?:(?:أنا )?(?:أريد|أود|أرغب في|أرغب|أحتاج إلى|أحتاج|أفضل|هل يمكنني|هل يمكن|يمكنني|هل أستطيع|هل بإمكاني|ممكن|كيف يمكنني|عايز|عاوز|ابغى|ابي|بدي|دعني|دعوني)(?: أن)? )?<polite>(?:التحدث|أتحدث|التكلم|أتكلم|الحديث|الكلام|أكلم|التواصل|أتواصل|الدردشة|أحكي) <polite>(?:(?:مع|إلى) )?<anyone>",
      "(?:أريد|أحتاج إلى|أحتاج|أود|عايز|عاوز|ابغى|بدي|أعطني|أعطوني|هل يوجد|هل هناك|أطلب) <polite><person>",
      "(?:(?:هل )?(?:يمكنك|يمكنكم|ممكن) )?<polite>(?:حولني|حولوني|تحويلي|تحويل|وصلني|وصلوني|توصيلي|انقلني|نقلي) <polite>(?:(?:إلى|مع) )?<anyone>",
      "لا أريد (?:التحدث|التكلم|الكلام|الحديث) (?:مع|إلى) (?:روبوت|الروبوت|آلة|بوت|ذكاء اصطناعي)",
    ],
    topic: "بخصوص|بشأن|حول|عن|لأن|من أجل|وليس|ليساعدني|يساعدني",
  },
} as const satisfies Record<string, RequestPhrases>;
