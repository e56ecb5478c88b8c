import { comparable, wordsIn } from "../comparable-text.ts";

/** A message that asks for nothing, and the languages that it is in. */
export interface SmallTalk {
  /** What is answered, by the names of the sentences. */
  readonly kind: "greeting" | "welcome" | "robot" | "sorry" | "goodbye";
  readonly languages: readonly string[];
}

const PHRASES: Readonly<Record<string, Readonly<Record<SmallTalk["kind"], string>>>> = {
  en: {
    greeting:
      "(?:hi|hello|hey|hiya|howdy|greetings|good (?:morning|afternoon|evening|day))(?: there| all| team)?",
    welcome:
      "(?:ok |okay |great |perfect |cool |super )?(?:thanks|thank you|thx|ty|cheers|many thanks)(?: (?:so much|very much|a lot|a million|for your help|for the help|that helped|bye))?",
    robot:
      "(?:hi |hey |hello |so |wait )?(?:are you|am i (?:talking|speaking|chatting) (?:to|with)|is this)(?: just| really)? (?:a |an )?(?:robot|bot|chatbot|machine|computer|ai|human|real person|real human|person|real)(?: or (?:a |an )?(?:robot|bot|machine|computer|ai|human|real person|person))?",
    sorry:
      "(?:(?:this|that|it|you|your (?:service|support|company|bot)) (?:is|are) (?:so |really |absolutely |totally |completely )?(?:ridiculous|useless|terrible|awful|stupid|a joke|rubbish|garbage|unacceptable|the worst|pathetic|annoying|frustrating|no help)|you suck|this sucks|wtf|what the (?:hell|fuck)|(?:i am|i m|im) (?:so |really |very |extremely )?(?:angry|furious|annoyed|frustrated|upset|mad|pissed off)|that (?:does not|doesnt|doesn t|didnt|didn t) help(?: at all)?|(?:fuck|screw) (?:you|this)|stupid bot)",
    goodbye:
      "(?:ok |okay )?(?:bye|bye bye|goodbye|good bye|see you|see ya|cya|good night|have a (?:nice|good) (?:day|one|evening))",
  },
  de: {
    greeting: "hallo|hi|hey|moin|servus|gruss gott|guten (?:tag|morgen|abend)",
    welcome: "(?:ok |super |prima )?(?:danke|vielen dank|dankeschon|danke (?:schon|sehr)|besten dank)",
    robot:
      "(?:bist du|sind sie|ist das|spreche ich mit|rede ich mit)(?: hier)?(?: wirklich)? (?:ein |eine |einem |einer )?(?:roboter|bot|chatbot|maschine|computer|ki|mensch|menschen|echter mensch|echten menschen|person)",
    sorry:
      "(?:das|es|ihr|sie|du|euer service) (?:ist|sind|seid|bist) (?:so |wirklich |echt |vollig |absolut )?(?:lacherlich|nutzlos|furchtbar|schrecklich|dumm|unmoglich|eine frechheit|unverschamt|argerlich|schlecht|ein witz)|(?:ich bin|bin) (?:so |sehr |wirklich |echt )?(?:wutend|sauer|verargert|genervt|stinksauer)|das (?:hilft|half)(?: mir)?(?: uberhaupt)? nicht(?: weiter)?|so ein mist|so eine frechheit|verdammt|scheisse",
    goodbye:
      "(?:ok )?(?:tschuss|tschuess|auf wiedersehen|ciao|bis bald|bis dann|gute nacht|schonen (?:tag|abend)(?: noch)?)",
  },
  fr: {
    greeting: "bonjour|salut|bonsoir|coucou",
    welcome: "(?:ok |super )?merci(?: (?:beaucoup|bien))?",
    robot:
      "(?:etes vous|es tu|vous etes|tu es|est ce que (?:vous etes|tu es)|je parle a) (?:un |une )?(?:robot|bot|chatbot|machine|ordinateur|ia|humain|humaine|vraie personne|personne)",
    sorry:
      "(?:c est|vous etes|tu es) (?:vraiment |completement |tellement )?(?:ridicule|nul|nulle|nuls|inutile|inutiles|inadmissible|inacceptable|honteux|n importe quoi)|je suis (?:tres |vraiment )?(?:en colere|furieux|furieuse|enerve|enervee)|(?:ca|cela) (?:ne )?m aide pas",
    goodbye: "au revoir|a bientot|bonne (?:journee|soiree|nuit)|adieu",
  },
  es: {
    greeting: "hola|buenas|buenos dias|buenas (?:tardes|noches)",
    welcome: "(?:ok |vale )?(?:gracias|muchas gracias)",
    robot:
      "(?:eres|es usted|estoy hablando con|hablo con) (?:un |una )?(?:robot|bot|chatbot|maquina|ordenador|ia|humano|humana|persona|persona real)",
    sorry:
      "(?:esto|es|eres|son|sois) (?:es )?(?:muy |realmente |tan |un )?(?:ridiculo|inutil|inutiles|terrible|horrible|inaceptable|una verguenza|desastre)|estoy (?:muy )?(?:enfadado|enfadada|furioso|furiosa|enojado|enojada|harto|harta)|(?:eso |esto )?no me (?:ayuda|sirve)",
    goodbye: "adios|hasta (?:luego|pronto|manana)|chao|que tenga (?:un )?buen dia",
  },
  it: {
    greeting: "ciao|salve|buongiorno|buonasera",
    welcome: "(?:ok )?(?:grazie|grazie mille|molte grazie)",
    robot:
      "(?:sei|e|lei e|siete|sto parlando con|parlo con) (?:un |una |uno )?(?:robot|bot|chatbot|macchina|computer|ia|umano|umana|persona|persona vera)",
    sorry:
      "(?:e|siete|sei|questo e) (?:davvero |proprio |molto )?(?:ridicolo|ridicoli|inutile|inutili|terribile|inaccettabile|vergognoso|assurdo)|sono (?:molto |davvero )?(?:arrabbiato|arrabbiata|furioso|furiosa)|non (?:mi )?(?:aiuta|serve)",
    goodbye: "arrivederci|addio|a presto|buona (?:giornata|serata|notte)",
  },
  pt: {
    greeting: "ola|oi|bom dia|boa tarde|boa noite",
    welcome: "(?:ok )?(?:muito )?obrigad[oa]|valeu",
    robot:
      "(?:voce e|tu es|es|estou a falar com|estou falando com|isto e) (?:um |uma )?(?:robo|robot|bot|chatbot|maquina|computador|ia|humano|humana|pessoa|pessoa real)",
    sorry:
      "(?:isto|isso|voces|e) (?:e |sao )?(?:muito |tao )?(?:ridiculo|inutil|inuteis|terrivel|inaceitavel|uma vergonha)|estou (?:muito )?(?:zangado|zangada|furioso|furiosa|irritado|irritada)|(?:isso )?nao (?:me )?ajuda",
    goodbye: "adeus|tchau|ate (?:logo|breve)",
  },
  nl: {
    greeting: "hallo|hoi|hi|hey|dag|goede(?:morgen|middag|navond)",
    welcome: "(?:ok )?(?:bedankt|dank (?:u|je)(?: wel)?|dankjewel)",
    robot:
      "(?:ben je|bent u|ben jij|is dit|praat ik met|spreek ik met) (?:een |echt een )?(?:robot|bot|chatbot|machine|computer|ai|mens|echt mens|persoon|echte persoon)",
    sorry:
      "(?:dit|dat|jullie|je|u) (?:is|zijn|bent) (?:zo |echt |heel |volledig )?(?:belachelijk|nutteloos|waardeloos|verschrikkelijk|schandalig|irritant|onacceptabel)|ik ben (?:heel |erg |zo )?(?:boos|woedend|gefrustreerd)|(?:dit|dat) helpt (?:me )?niet",
    goodbye: "doei|tot ziens|dag hoor|fijne (?:dag|avond)|welterusten",
  },
  pl: {
    greeting: "czesc|hej|dzien dobry|dobry wieczor|witam",
    welcome: "(?:ok )?(?:dziekuje|dzieki|dziekuje bardzo)",
    robot:
      "(?:czy )?(?:jestes|czy to|rozmawiam z|pan jest|pani jest) (?:robotem|botem|chatbotem|maszyna|komputerem|czlowiekiem|prawdziwym czlowiekiem|sztuczna inteligencja|robot|bot|czlowiek)",
    sorry:
      "(?:to|jestes|jestescie) (?:jest )?(?:smieszne|beznadziejne|bezuzyteczne|okropne|skandal|zalosne|beznadziejni|bezuzyteczny)|jestem (?:bardzo )?(?:zly|zla|wsciekly|wsciekla|zdenerwowany|zdenerwowana)|to (?:mi )?nie pomaga",
    goodbye: "do widzenia|do zobaczenia|na razie|pa|milego dnia|dobranoc",
  },
  ru: {
    greeting: "здравствуйте|здравствуй|привет|добрый (?:день|вечер)|доброе утро",
    welcome: "(?:ок )?(?:спасибо|большое спасибо|спасибо большое|благодарю)",
    robot:
      "(?:вы|ты|это|я говорю с|я общаюсь с) (?:робот|бот|чат бот|чатбот|машина|компьютер|ии|человек|живой человек|роботом|ботом|человеком|живым человеком)",
    sorry:
      "(?:это|вы|ты) (?:просто |очень |совершенно )?(?:смешно|ужасно|бесполезно|бесполезны|бесполезен|возмутительно|безобразие|издевательство|неприемлемо)|я (?:очень |просто )?(?:зол|зла|в ярости|возмущен|возмущена|злюсь)|(?:это )?(?:мне )?не (?:помогает|помогло)",
    goodbye: "до свидания|пока|всего (?:доброго|хорошего)|до встречи|спокойной ночи",
  },
  tr: {
    greeting: "merhaba|merhabalar|selam|iyi (?:gunler|aksamlar)|gunaydin",
    welcome: "(?:tamam )?(?:tesekkurler|tesekkur ederim|cok tesekkurler|sagolun|sag olun)",
    robot:
      "(?:sen |siz )?(?:bir )?(?:robot|bot|chatbot|makine|bilgisayar|yapay zeka|insan|gercek insan|gercek bir insan|gercek bir kisi) (?:musun|musunuz|misin|misiniz|mi|mu)",
    sorry:
      "(?:bu |siz )?(?:cok |gercekten )?(?:sacma|sacmalik|rezalet|berbat|ise yaramaz|kabul edilemez)(?:siniz|sin)?|cok (?:kizginim|sinirliyim|ofkeliyim)|(?:bu )?(?:ise yaramadi|yardimci olmadi)",
    goodbye: "hosca kal|hosca kalin|gule gule|gorusuruz|iyi geceler",
  },
  zh: {
    greeting: "你好|您好|嗨|哈喽|早上好|下午好|晚上好",
    welcome: "谢谢|謝謝|谢谢你|謝謝你|多谢|感谢",
    robot:
      "(?:你|您)?(?:是|是不是)(?:一个|一個)?(?:机器人|機器人|真人|人工智能|人工智慧|人|ai)(?:吗|嗎|还是真人|還是真人)?",
    sorry:
      "(?:这|這|你们|你們|你)?(?:太|真|真是|简直|簡直)?(?:没用|沒用|荒谬|荒謬|差劲|差勁|糟糕|离谱|離譜|过分|過分|垃圾)(?:了)?|我(?:很|非常)?(?:生气|生氣|愤怒|憤怒|恼火|惱火)(?:了)?",
    goodbye: "再见|再見|拜拜|晚安",
  },
  ja: {
    greeting: "こんにちは|こんばんは|おはようございます|はじめまして",
    welcome: "ありがとう|ありがとうございます|ありがとうございました|どうもありがとう",
    robot: "(?:あなたは)?(?:ロボット|ボット|機械|ai|人間|本物の人間)(?:ですか|なの|なのですか)",
    sorry:
      "(?:ひどい|最悪|使えない|役に立たない|ふざけるな|ばかげている)(?:です|ですね)?|(?:とても|本当に)?(?:怒っています|腹が立つ|腹が立ちます)",
    goodbye: "さようなら|さよなら|じゃあね|おやすみなさい|失礼します",
  },
  ar: {
    greeting: "مرحبا|أهلا|السلام عليكم|صباح الخير|مساء الخير",
    welcome: "شكرا|شكرا (?:لك|لكم|جزيلا)",
    robot: "(?:هل )?(?:أنت|انت|أتحدث مع|اتحدث مع) (?:روبوت|بوت|آلة|انسان|إنسان|شخص|شخص حقيقي|ذكاء اصطناعي)",
    sorry:
      "(?:هذا|أنتم|انت) (?:سخيف|سيء|سيئ|فظيع|غير مقبول|بلا فائدة|عديم الفائدة)(?: جدا)?|(?:أنا|انا) (?:غاضب|غاضبة|مستاء|مستاءة)(?: جدا)?",
    goodbye: "مع السلامة|وداعا|إلى اللقاء|تصبح على خير",
  },
};

const KINDS = ["greeting", "welcome", "robot", "sorry", "goodbye"] as const;

const PATTERNS = Object.entries(PHRASES).map(([language, phrases]) => ({
  language,
  kinds: Object.fromEntries(
    KINDS.map((kind) => [kind, new RegExp(comparable(`^(?:${phrases[kind]})$`), "u")]),
  ),
}));

/** Longer messages say more than a greeting. */
const MAX_LENGTH = 100;

/** Recognises a message that is only small talk; undefined for anything that may be a question. */
export function smallTalk(text: string): SmallTalk | undefined {
  if (text.length > MAX_LENGTH) return undefined;
  const plain = wordsIn(comparable(text));
  for (const kind of KINDS) {
    const languages = PATTERNS.filter(({ kinds }) => kinds[kind]?.test(plain)).map(
      ({ language }) => language,
    );
    if (languages.length > 0) return { kind, languages };
  }
  return undefined;
}
