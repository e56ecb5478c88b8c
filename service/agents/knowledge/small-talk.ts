import { comparable, wordsIn } from "../comparable-text.ts";

/** The first of these that a message has is answered. */
const KINDS = [
  "sorry",
  "robot",
  "mood",
  "help",
  "opening",
  "goodbye",
  "welcome",
  "greeting",
  "noted",
] as const;

/** A message that names no subject, and the languages that it is in. */
export interface SmallTalk {
  /** What is answered, by the names of the sentences. */
  readonly kind: (typeof KINDS)[number];
  readonly languages: readonly string[];
}

const PHRASES: Readonly<Record<string, Readonly<Record<SmallTalk["kind"], string>>>> = {
  en: {
    greeting:
      "(?:hi|hello|hey|hiya|howdy|greetings|good (?:morning|afternoon|evening|day))(?: there| all| team)?",
    help: "(?:(?:i )?(?:really )?need (?:some |your )?(?:help|assistance)|(?:please )?help(?: me)?(?: out)?|(?:can|could|will|would) (?:you|someone|somebody|anyone|anybody) (?:please )?help(?: me)?(?: out)?|(?:i (?:have |ve got |got )|ive got )(?:a |an |another |one more |some )(?:quick )?(?:problem|issue))(?: please| asap| urgently)?",
    opening:
      "(?:(?:i (?:have |ve |ve got |got )|ive (?:got )?)(?:a |another |one more |some )(?:quick )?questions?|(?:another|one more|a quick|quick) question|(?:can|may|could) i ask (?:you )?(?:something|a question)|(?:is )?any(?:one|body) (?:there|here)|are you (?:still )?there)(?: please)?",
    welcome:
      "(?:ok |okay |great |perfect |cool |super )?(?:thanks|thank you|thx|ty|cheers|many thanks)(?: (?:so much|very much|a lot|a million|bye|again))?(?: for (?:your|the|all your|all the) (?:quick |fast )?(?:help|answers?|reply|response|info|information|support))?|(?:that|this|it) (?:helped|helps|was helpful|is helpful)(?: me)?(?: a lot)?|(?:very )?helpful",
    robot:
      "(?:hi |hey |hello |so |wait )?(?:are you|am i (?:talking|speaking|chatting) (?:to|with)|is this)(?: just| really)? (?:a |an )?(?:robot|bot|chatbot|machine|computer|ai|human|real person|real human|person|real)(?: or (?:a |an )?(?:robot|bot|machine|computer|ai|human|real person|person))?",
    sorry:
      "(?:(?:this|that|it|you|your (?:service|support|company|bot)) (?:is|are) (?:so |really |absolutely |totally |completely )?(?:ridiculous|useless|terrible|awful|stupid|a joke|rubbish|garbage|unacceptable|the worst|pathetic|annoying|frustrating|no help)|you suck|this sucks|wtf|what the (?:hell|fuck)|(?:i am|i m|im) (?:so |really |very |extremely )?(?:angry|furious|annoyed|frustrated|upset|mad|disappointed|pissed off)|(?:that|this|it) (?:does not|doesnt|doesn t|didnt|didn t|did not|has not|hasnt|hasn t) help(?:ed)?(?: me)?(?: at all)?|not helpful(?: at all)?|you are (?:thieves|scammers|crooks)|(?:this is )?a scam|(?:fuck|screw) (?:you|this)|stupid bot|thanks for nothing|(?:(?:this|that|it) (?:is |s )|you are )?(?:the )?worst (?:[a-z]+ ){1,2}ever)|(?:you|that|this|it) (?:did not|didnt|didn t|does not|doesnt|doesn t|have not|havent|haven t) (?:even )?answer(?:ed)? (?:my|the) question|(?:that|this|it) (?:(?:is|was|s) not|isnt|isn t|wasnt|wasn t) what i (?:asked|meant|wanted to know)|this is (?:already |now )?the (?:second|third|fourth|fifth) time (?:that )?i(?: am| m| have| ve)? (?:ask|asked|asking|write|writing|written)(?: this| you)?|(?:nobody|no one|noone) (?:answers|answered|replies|replied|responds|helps)(?: me| my (?:emails?|e mails?|messages?|calls?))?|you (?:do not|dont|don t) understand(?: me| my question)?",
    goodbye:
      "(?:ok |okay )?(?:bye|bye bye|goodbye|good bye|see you|see ya|cya|good night|have a (?:nice|good) (?:day|one|evening))",
    noted:
      "ok|okay|okey|k|yes|yeah|yep|yup|no|nope|sure|fine|good|great|nice|perfect|cool|super|alright|all right|i see|got it|understood|makes sense|sounds good|very good",
    mood: "(?:and |so )?how (?:are|r) (?:you|u|things)(?: doing)?(?: today)?|how is it going|how s it going|how do you do|how are you feeling|what s up|whats up|sup",
  },
  de: {
    greeting: "hallo|hi|hey|moin|servus|gruss gott|guten (?:tag|morgen|abend)",
    help: "(?:(?:ich )?brauche? (?:mal |bitte |dringend )?(?:ihre |deine |eure )?hilfe|hilfe|(?:k(?:o|oe)nnen sie|k(?:o|oe)nnten sie|kannst du|k(?:o|oe)nnt ihr|kann(?: mir)? jemand)(?: mir)?(?: bitte)? helfen|(?:ich )?habe?(?: da)?(?: mal)?(?: noch)? ein problem)(?: bitte| dringend)?",
    opening:
      "(?:(?:ich )?(?:habe?|hatte)(?: da)?(?: mal)?(?: noch)? (?:eine frage|ne frage|fragen)|noch (?:eine|ne) frage|(?:darf|kann) ich (?:sie |dich |euch )?(?:mal )?(?:etwas|was) fragen|ist (?:da |hier )?jemand(?: da| hier)?|(?:sind sie|bist du|seid ihr) (?:noch )?da)(?: bitte)?",
    welcome:
      "(?:ok |super |prima )?(?:danke|vielen (?:lieben )?dank|dankeschon|danke (?:schon|sehr|dir|ihnen|euch)|besten dank)(?: (?:fur|fuer) (?:die|ihre|deine|eure) (?:schnelle )?(?:hilfe|antwort|auskunft|info|infos))?|das (?:hat|half)(?: mir)?(?: sehr)?(?: geholfen)?",
    robot:
      "(?:bist du|sind sie|ist das|spreche ich mit|rede ich mit)(?: hier)?(?: wirklich)? (?:ein |eine |einem |einer )?(?:roboter|bot|chatbot|maschine|computer|ki|mensch|menschen|echter mensch|echten menschen|person)",
    sorry:
      "(?:das|es|ihr|sie|du|euer service) (?:ist|sind|seid|bist) (?:so |wirklich |echt |vollig |absolut )?(?:lacherlich|nutzlos|furchtbar|schrecklich|dumm|unmoglich|eine frechheit|unverschamt|argerlich|schlecht|ein witz)|(?:ich bin|bin) (?:so |sehr |wirklich |echt )?(?:wutend|sauer|verargert|genervt|stinksauer)|das (?:hilft|half)(?: mir)?(?: uberhaupt)? nicht(?: weiter)?|so ein mist|scheiss ?laden|sauladen|saftladen|(?:ihr seid |sie sind )?(?:betruger|diebe|abzocker)|so eine frechheit|verdammt|scheisse|(?:sie haben|du hast|ihr habt|das hat) (?:mir )?meine frage (?:immer noch )?nicht beantwortet|das (?:war|ist) nicht (?:meine frage|was ich (?:gefragt|gemeint|wissen wollte)(?: habe)?)|das ist (?:jetzt )?(?:schon |bereits )?das (?:zweite|dritte|vierte) mal dass ich (?:frage|nachfrage|schreibe)|(?:keiner|niemand) (?:antwortet|hilft|meldet sich|reagiert)(?: mir)?(?: auf meine (?:mails?|e mails?|nachrichten))?|(?:du verstehst|sie verstehen|ihr versteht) mich nicht",
    goodbye:
      "(?:ok )?(?:tschuss|tschuess|auf wiedersehen|ciao|bis bald|bis dann|gute nacht|schonen (?:tag|abend)(?: noch)?)",
    noted:
      "ok|okay|ja|nein|jo|gut|super|prima|perfekt|alles klar|verstanden|verstehe|in ordnung|sehr gut|passt",
    mood: "(?:na )?wie geht(?: es| s)?(?: (?:dir|ihnen|euch))?(?: (?:so|heute))?|wie gehts(?: (?:dir|ihnen|euch))?|was geht",
  },
  fr: {
    greeting: "bonjour|salut|bonsoir|coucou",
    help: "(?:(?:j ai )?besoin d aide|a l aide|aide|aidez moi|(?:pouvez vous|pourriez vous|peux tu|vous pouvez|tu peux) m aider|j ai un probleme)(?: s il vous plait| svp)?",
    opening:
      "(?:j (?:ai|aurais) (?:une (?:autre )?question|des questions)|(?:est ce qu )?il y a quelqu un|(?:vous etes|tu es|etes vous) la)(?: s il vous plait| svp)?",
    welcome:
      "(?:ok |super )?merci(?: (?:beaucoup|bien|a vous))?(?: (?:pour|de) (?:votre|ton|l) (?:aide|reponse))?",
    robot:
      "(?:etes vous|es tu|vous etes|tu es|est ce que (?:vous etes|tu es)|je parle a) (?:un |une )?(?:robot|bot|chatbot|machine|ordinateur|ia|humain|humaine|vraie personne|personne)",
    sorry:
      "(?:c est|vous etes|tu es) (?:vraiment |completement |tellement )?(?:ridicule|nul|nulle|nuls|inutile|inutiles|inadmissible|inacceptable|honteux|n importe quoi|des (?:voleurs|escrocs|arnaqueurs)|une arnaque)|(?:bande de )?(?:voleurs|escrocs)|je suis (?:tres |vraiment )?(?:en colere|furieux|furieuse|enerve|enervee)|(?:ca|cela) (?:ne )?(?:m aide|m a) pas(?: aide)?|ce n est pas (?:ma question|ce que j ai demande)|(?:vous n avez|tu n as) pas (?:repondu a|compris) ma question|personne ne (?:me )?repond",
    goodbye: "au revoir|a bientot|bonne (?:journee|soiree|nuit)|adieu",
    noted: "ok|okay|oui|non|d accord|bien|tres bien|super|parfait|entendu|compris|ca marche",
    mood: "(?:comment )?(?:ca va|vas tu|allez vous|tu vas|vous allez)(?: bien)?(?: aujourd hui)?|comment ca va",
  },
  es: {
    greeting: "hola|buenas|buenos dias|buenas (?:tardes|noches)",
    help: "(?:(?:necesito|quiero) (?:tu |su )?ayuda|ayuda|ayudame|ayudeme|(?:me )?(?:puedes|puede|podria|podrias|pueden)(?: usted)? ayudar(?:me)?|tengo un problema)(?: por favor)?",
    opening: "(?:tengo (?:una|otra) (?:pregunta|duda|consulta)|hay alguien(?: ahi)?)(?: por favor)?",
    welcome:
      "(?:ok |vale )?(?:gracias|muchas gracias)(?: por (?:todo|(?:su|tu|la) (?:ayuda|respuesta|informacion)))?",
    robot:
      "(?:eres|es usted|estoy hablando con|hablo con) (?:un |una )?(?:robot|bot|chatbot|maquina|ordenador|ia|humano|humana|persona|persona real)",
    sorry:
      "(?:esto|es|eres|son|sois) (?:es )?(?:muy |realmente |tan |un )?(?:ridiculo|inutil|inutiles|terrible|horrible|inaceptable|una verguenza|desastre)|estoy (?:muy )?(?:enfadado|enfadada|furioso|furiosa|enojado|enojada|harto|harta)|(?:eso |esto )?no me (?:ayuda|sirve)|(?:eso|esto|esa) no es (?:lo que (?:pregunte|he preguntado)|mi pregunta)|no (?:has|ha|han) (?:respondido|contestado)(?: a)? mi pregunta|nadie (?:me )?(?:responde|contesta|ayuda)",
    goodbye: "adios|hasta (?:luego|pronto|manana)|chao|que tenga (?:un )?buen dia",
    noted: "ok|okay|vale|si|no|bien|muy bien|perfecto|entendido|de acuerdo|claro|genial",
    mood: "(?:como (?:estas|esta|estais|te va|le va|va)|que tal)(?: (?:hoy|usted))?",
  },
  it: {
    greeting: "ciao|salve|buongiorno|buonasera",
    help: "(?:(?:(?:ho|avrei) bisogno di |mi serve )?aiuto|(?:mi )?(?:puoi|puo|potete|potresti|potrebbe) aiutar(?:e|mi)|ho un problema)(?: per favore)?",
    opening: "(?:(?:ho|avrei) (?:una|un altra) domanda|c e qualcuno)(?: per favore)?",
    welcome: "(?:ok )?(?:grazie|grazie mille|molte grazie)(?: per (?:l aiuto|la risposta))?",
    robot:
      "(?:sei|e|lei e|siete|sto parlando con|parlo con) (?:un |una |uno )?(?:robot|bot|chatbot|macchina|computer|ia|umano|umana|persona|persona vera)",
    sorry:
      "(?:e|siete|sei|questo e) (?:davvero |proprio |molto )?(?:ridicolo|ridicoli|inutile|inutili|terribile|inaccettabile|vergognoso|assurdo)|sono (?:molto |davvero )?(?:arrabbiato|arrabbiata|furioso|furiosa)|non (?:mi )?(?:aiuta|serve)|non (?:e|era) (?:la mia domanda|quello che ho chiesto)|non (?:hai|ha|avete) risposto alla mia domanda|nessuno (?:mi )?risponde",
    goodbye: "arrivederci|addio|a presto|buona (?:giornata|serata|notte)",
    noted: "ok|okay|si|no|bene|va bene|molto bene|perfetto|capito|d accordo|certo",
    mood: "come (?:stai|sta|state|va)(?: oggi)?|tutto bene",
  },
  pt: {
    greeting: "ola|oi|bom dia|boa tarde|boa noite",
    help: "(?:(?:preciso de |quero )?ajuda|(?:voce )?(?:pode|podes|podem|poderia|pode me|poderia me|voce pode me) ajudar(?: me)?|tenho um problema)(?: por favor)?",
    opening: "(?:tenho (?:uma|outra) (?:pergunta|duvida)|(?:ha|tem) alguem(?: ai)?)(?: por favor)?",
    welcome: "(?:ok )?(?:muito )?obrigad[oa](?: pela (?:ajuda|resposta))?|valeu",
    robot:
      "(?:voce e|tu es|es|estou a falar com|estou falando com|isto e) (?:um |uma )?(?:robo|robot|bot|chatbot|maquina|computador|ia|humano|humana|pessoa|pessoa real)",
    sorry:
      "(?:isto|isso|voces|e) (?:e |sao )?(?:muito |tao )?(?:ridiculo|inutil|inuteis|terrivel|inaceitavel|uma vergonha)|estou (?:muito )?(?:zangado|zangada|furioso|furiosa|irritado|irritada)|(?:isso )?nao (?:me )?ajuda|(?:isso )?nao (?:foi|e) (?:o que perguntei|a minha pergunta)|nao (?:respondeu|responderam)(?: a)? minha pergunta|ninguem (?:me )?responde",
    goodbye: "adeus|tchau|ate (?:logo|breve)",
    noted: "ok|okay|sim|nao|bem|muito bem|certo|perfeito|entendi|entendido|esta bem|ta bom|otimo",
    mood: "como (?:vai|estas|esta|voce esta|vai voce)(?: hoje)?|tudo (?:bem|bom)",
  },
  nl: {
    greeting: "hallo|hoi|hi|hey|dag|goede(?:morgen|middag|navond)",
    help: "(?:(?:ik heb )?hulp(?: nodig)?|(?:kunt u|kun je|kan iemand|kunnen jullie) (?:me|mij) helpen|ik heb (?:nog )?een probleem)(?: alstublieft| aub)?",
    opening:
      "(?:ik heb (?:nog )?een vraag|(?:mag|kan) ik (?:u |je )?iets vragen|is (?:er|daar) iemand)(?: alstublieft| aub)?",
    welcome:
      "(?:ok )?(?:bedankt|dank (?:u|je)(?: wel)?|dankjewel)(?: voor (?:uw|je|de|het) (?:hulp|antwoord))?",
    robot:
      "(?:ben je|bent u|ben jij|is dit|praat ik met|spreek ik met) (?:een |echt een )?(?:robot|bot|chatbot|machine|computer|ai|mens|echt mens|persoon|echte persoon)",
    sorry:
      "(?:dit|dat|jullie|je|u) (?:is|zijn|bent) (?:zo |echt |heel |volledig )?(?:belachelijk|nutteloos|waardeloos|verschrikkelijk|schandalig|irritant|onacceptabel)|ik ben (?:heel |erg |zo )?(?:boos|woedend|gefrustreerd)|(?:dit|dat) helpt (?:me )?niet|dat (?:is|was) niet (?:mijn vraag|wat ik vroeg)|(?:je hebt|u hebt|jullie hebben) mijn vraag niet beantwoord|niemand (?:antwoordt|reageert)",
    goodbye: "doei|tot ziens|dag hoor|fijne (?:dag|avond)|welterusten",
    noted: "ok|oke|okay|ja|nee|goed|prima|perfect|begrepen|duidelijk|is goed|heel goed",
    mood: "hoe gaat het(?: (?:met (?:je|jou|u)|vandaag))?|hoe is het|alles goed",
  },
  pl: {
    greeting: "czesc|hej|dzien dobry|dobry wieczor|witam",
    help: "(?:(?:potrzebuje )?pomocy|pomoc|(?:czy )?(?:mozesz|moze pan|moze pani|mozecie) mi pomoc|mam problem)(?: prosze)?",
    opening:
      "mam (?:jeszcze )?(?:jedno )?pytanie|(?:czy )?(?:jest )?(?:tu |tam )?ktos(?: tu| tam)?(?: jest)?",
    welcome: "(?:ok )?(?:dziekuje|dzieki|dziekuje bardzo)",
    robot:
      "(?:czy )?(?:jestes|czy to|rozmawiam z|pan jest|pani jest) (?:robotem|botem|chatbotem|maszyna|komputerem|czlowiekiem|prawdziwym czlowiekiem|sztuczna inteligencja|robot|bot|czlowiek)",
    sorry:
      "(?:to|jestes|jestescie) (?:jest )?(?:smieszne|beznadziejne|bezuzyteczne|okropne|skandal|zalosne|beznadziejni|bezuzyteczny)|jestem (?:bardzo )?(?:zly|zla|wsciekly|wsciekla|zdenerwowany|zdenerwowana)|to (?:mi )?nie pomaga|nie o to pytal[ae]m|to nie jest odpowiedz na moje pytanie|nikt (?:mi )?nie odpowiada",
    goodbye: "do widzenia|do zobaczenia|na razie|pa|milego dnia|dobranoc",
    noted: "ok|okej|okay|tak|nie|dobrze|bardzo dobrze|swietnie|super|rozumiem|jasne|w porzadku",
    mood: "jak (?:sie (?:masz|pan ma|pani ma)|leci|tam)|co (?:slychac|u ciebie|tam)",
  },
  ru: {
    greeting: "здравствуйте|здравствуй|привет|добрый (?:день|вечер)|доброе утро",
    help: "(?:мне )?(?:нужна )?помощь|помогите(?: пожалуйста)?|(?:вы )?(?:можете|можешь|не могли бы вы|могли бы вы)(?: мне)? помочь|(?:у меня )?(?:есть )?проблема",
    opening:
      "(?:у меня )?(?:есть )?(?:еще )?(?:один )?вопрос|(?:здесь |тут )?(?:есть )?кто нибудь(?: есть| здесь| тут)?|вы (?:тут|здесь)",
    welcome: "(?:ок )?(?:спасибо|большое спасибо|спасибо большое|благодарю)",
    robot:
      "(?:вы|ты|это|я говорю с|я общаюсь с) (?:робот|бот|чат бот|чатбот|машина|компьютер|ии|человек|живой человек|роботом|ботом|человеком|живым человеком)",
    sorry:
      "(?:это|вы|ты) (?:просто |очень |совершенно )?(?:смешно|ужасно|бесполезно|бесполезны|бесполезен|возмутительно|безобразие|издевательство|неприемлемо)|я (?:очень |просто )?(?:зол|зла|в ярости|возмущен|возмущена|злюсь)|(?:это )?(?:мне )?не (?:помогает|помогло)|это не то что я спросила?|вы не ответили на (?:мой )?вопрос|(?:мне )?никто не отвечает",
    goodbye: "до свидания|пока|всего (?:доброго|хорошего)|до встречи|спокойной ночи",
    noted: "ok|ок|окей|да|нет|хорошо|очень хорошо|понятно|понял|поняла|ясно|отлично|ладно|супер",
    mood: "как (?:(?:у (?:вас|тебя) )?дела|(?:вы )?поживаете|жизнь)",
  },
  tr: {
    greeting: "merhaba|merhabalar|selam|iyi (?:gunler|aksamlar)|gunaydin",
    help: "(?:(?:bana )?yardim(?:a ihtiyacim var| lazim| (?:eder|edebilir) misin(?:iz)?)?|(?:bana )?yardimci (?:olur|olabilir) mu(?:sun|sunuz)|bir sorunum var)(?: lutfen)?",
    opening:
      "bir sorum (?:daha )?var|bir sey sorabilir miyim|(?:orada |burada )?kimse var mi|orada misin(?:iz)?",
    welcome: "(?:tamam )?(?:tesekkurler|tesekkur ederim|cok tesekkurler|sagolun|sag olun)",
    robot:
      "(?:sen |siz )?(?:bir )?(?:robot|bot|chatbot|makine|bilgisayar|yapay zeka|insan|gercek insan|gercek bir insan|gercek bir kisi) (?:musun|musunuz|misin|misiniz|mi|mu)",
    sorry:
      "(?:bu |siz )?(?:cok |gercekten )?(?:sacma|sacmalik|rezalet|berbat|ise yaramaz|kabul edilemez)(?:siniz|sin)?|cok (?:kizginim|sinirliyim|ofkeliyim)|(?:bu )?(?:ise yaramadi|yardimci olmadi)|(?:bunu |onu )sormadim|soruma cevap vermedin(?:iz)?|kimse cevap vermiyor",
    goodbye: "hosca kal|hosca kalin|gule gule|gorusuruz|iyi geceler",
    noted: "ok|okay|evet|hayir|tamam|tamamdir|iyi|cok iyi|guzel|harika|super|anladim|peki",
    mood: "(?:siz |sen )?nasilsin(?:iz)?|ne haber|naber",
  },
  zh: {
    greeting: "你好|您好|嗨|哈喽|早上好|下午好|晚上好",
    help: "(?:你|您)?(?:能|可以)(?:帮|幫)(?:帮|幫|助)?我(?:吗|嗎)?|我?需要(?:帮助|幫助|帮忙|幫忙)|(?:请|請)?(?:帮|幫){1,2}我",
    opening:
      "我?(?:还|還)?有(?:一?(?:个|個))?(?:问题|問題)(?:想问|想問)?|(?:请问|請問)?有人(?:在)?(?:吗|嗎)|在(?:吗|嗎)",
    welcome: "谢谢|謝謝|谢谢你|謝謝你|多谢|感谢",
    robot:
      "(?:你|您)?(?:是|是不是)(?:一个|一個)?(?:机器人|機器人|真人|人工智能|人工智慧|人|ai)(?:吗|嗎|还是真人|還是真人)?",
    sorry:
      "(?:这|這|你们|你們|你)?(?:太|真|真是|简直|簡直)?(?:没用|沒用|荒谬|荒謬|差劲|差勁|糟糕|离谱|離譜|过分|過分|垃圾)(?:了)?|我(?:很|非常)?(?:生气|生氣|愤怒|憤怒|恼火|惱火)(?:了)?|(?:这|這)不是我(?:问|問)的|(?:你|您)?(?:没有|沒有|没|沒)回答我的(?:问题|問題)|(?:没|沒)人(?:回复|回覆|理我)",
    goodbye: "再见|再見|拜拜|晚安",
    noted: "ok|好|好的|好吧|是|是的|对|對|不|不是|嗯|明白|明白了|知道了|了解|可以|行",
    mood: "你好吗|你好嗎|您好吗|您好嗎|你怎么样|你怎麼樣|最近怎么样|最近怎麼樣",
  },
  ja: {
    greeting: "こんにちは|こんばんは|おはようございます|はじめまして",
    help: "助けて(?:ください|下さい)?|(?:手伝って|助けて)(?:もらえますか|くれますか|いただけますか)|困っています",
    opening: "質問(?:です|があります|があるのですが)|誰かいますか",
    welcome: "ありがとう|ありがとうございます|ありがとうございました|どうもありがとう",
    robot: "(?:あなたは)?(?:ロボット|ボット|機械|ai|人間|本物の人間)(?:ですか|なの|なのですか)",
    sorry:
      "(?:ひどい|最悪|使えない|役に立たない|ふざけるな|ばかげている)(?:です|ですね)?|(?:とても|本当に)?(?:怒っています|腹が立つ|腹が立ちます)|質問に答えて(?:い)?(?:ない|ません)|誰も返事を?して?くれ(?:ない|ません)",
    goodbye: "さようなら|さよなら|じゃあね|おやすみなさい|失礼します",
    noted: "ok|はい|いいえ|うん|わかりました|分かりました|了解|了解です|了解しました|いいです|大丈夫です",
    mood: "お?元気(?:ですか|かな)?|調子はどう(?:ですか)?",
  },
  ar: {
    greeting: "مرحبا|أهلا|السلام عليكم|صباح الخير|مساء الخير",
    help: "(?:أحتاج|احتاج)(?: إلى| الى)? (?:مساعدة|المساعدة)|ساعدني|ساعدوني|مساعدة|(?:هل )?(?:يمكنك|يمكنكم|ممكن) مساعدتي|(?:لدي|عندي) مشكلة",
    opening: "(?:لدي|عندي) (?:سؤال|استفسار)|هل (?:من أحد|يوجد أحد)(?: هنا)?",
    welcome: "شكرا|شكرا (?:لك|لكم|جزيلا)",
    robot: "(?:هل )?(?:أنت|انت|أتحدث مع|اتحدث مع) (?:روبوت|بوت|آلة|انسان|إنسان|شخص|شخص حقيقي|ذكاء اصطناعي)",
    sorry:
      "(?:هذا|أنتم|انت) (?:سخيف|سيء|سيئ|فظيع|غير مقبول|بلا فائدة|عديم الفائدة)(?: جدا)?|(?:أنا|انا) (?:غاضب|غاضبة|مستاء|مستاءة)(?: جدا)?|هذا ليس (?:ما سألت عنه|سؤالي)|لم تجب (?:على|عن) سؤالي|لا أحد (?:يرد|يجيب)",
    goodbye: "مع السلامة|وداعا|إلى اللقاء|تصبح على خير",
    noted: "ok|اوك|نعم|لا|حسنا|تمام|جيد|ممتاز|طيب|فهمت|مفهوم|موافق",
    mood: "كيف (?:حالك|حالكم|الحال)|(?:هل )?(?:أنت|انت) بخير",
  },
};

/** What joins two of them: "thanks and bye". */
const JOINS = new Set(["and", "but", "und", "aber", "et", "mais", "y", "e", "en", "i", "и", "ve", "و"]);

const PATTERNS = Object.entries(PHRASES).map(([language, phrases]) => ({
  language,
  patterns: KINDS.map((kind) => [kind, new RegExp(comparable(`^(?:${phrases[kind]})$`), "u")] as const),
}));
type Patterns = (typeof PATTERNS)[number]["patterns"];

/** Longer messages say more than a greeting. */
const MAX_LENGTH = 100;
const MAX_WORDS = 12;

/**
 * Recognises a message that is only small talk; undefined for anything that may be a question.
 * @param own the session's language, in which the message is read first: Italians greet with "ciao", Germans leave with it
 */
export function smallTalk(text: string, own?: string): SmallTalk | undefined {
  if (text.length > MAX_LENGTH) return undefined;
  const words = wordsIn(comparable(text)).split(" ");
  if (words.length > MAX_WORDS) return undefined;
  const all = PATTERNS.map(({ language, patterns }) => ({ language, kinds: kindsOf(words, patterns) }));
  const inOwn = all.filter(({ language, kinds }) => language === own && kinds.length > 0);
  const found = inOwn.length > 0 ? inOwn : all;
  const kind = KINDS.find((one) => found.some(({ kinds }) => kinds.includes(one)));
  if (kind === undefined) return undefined;
  const languages = found.flatMap(({ language, kinds }) => (kinds.includes(kind) ? [language] : []));
  // "OK" does not tell the customer's language.
  return { kind, languages: languages.length === PATTERNS.length ? [] : languages };
}

/** The ends of clauses, as a group, so that splitting returns them too. */
const CLAUSE_END = /([.,;:!?…()\n。、！？；，：؛،؟–—]+\s*)/u;

/** A message without the clauses that are only anger, and the languages of these; undefined without any. */
export function splitAnger(
  text: string,
): { readonly rest: string; readonly languages: readonly string[] } | undefined {
  const languages = new Set<string>();
  let rest = "";
  const parts = text.split(CLAUSE_END);
  for (let at = 0; at < parts.length; at += 2) {
    const [clause = "", end = ""] = parts.slice(at, at + 2);
    const angry = languagesOfAnger(clause);
    if (angry.length === 0) rest += clause + end;
    for (const language of angry) languages.add(language);
  }
  return languages.size === 0 ? undefined : { rest: rest.trim(), languages: [...languages] };
}

function languagesOfAnger(clause: string): readonly string[] {
  const words = wordsIn(comparable(clause));
  const isAnger = (patterns: Patterns) =>
    patterns.some(([kind, pattern]) => kind === "sorry" && pattern.test(words));
  return PATTERNS.flatMap(({ language, patterns }) => (isAnger(patterns) ? [language] : []));
}

/** The kinds of small talk that make up the words, the longest phrases first; none if any word is left. */
function kindsOf(words: readonly string[], patterns: Patterns): readonly SmallTalk["kind"][] {
  const kinds: SmallTalk["kind"][] = [];
  let from = 0;
  while (from < words.length) {
    const found = longestFrom(words.slice(from), patterns);
    if (found) kinds.push(found.kind);
    else if (from === 0 || !JOINS.has(words[from] ?? "")) return [];
    from += found?.length ?? 1;
  }
  return kinds;
}

function longestFrom(
  words: readonly string[],
  patterns: Patterns,
): { readonly kind: SmallTalk["kind"]; readonly length: number } | undefined {
  for (let length = words.length; length > 0; length -= 1) {
    const phrase = words.slice(0, length).join(" ");
    const [kind] = patterns.find(([, pattern]) => pattern.test(phrase)) ?? [];
    if (kind) return { kind, length };
  }
  return undefined;
}
