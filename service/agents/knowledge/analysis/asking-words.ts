/**
 * Words with which customers ask, beyond the stop words of the libraries. They say how somebody asks, not about what.
 */
export const ASKING_WORDS: Readonly<Record<string, readonly string[]>> = {
  en: `already also always another anybody anyone anything around ask asked asking ask away bye came certain come
    couldnt cant cannot different didnt doesnt dont done either else even ever every everything few get gets getting give go goes
    going gonna gone got havent hello help hey hi im ive ill isnt just kind know let like long look looking make many
    maybe mean meaning means much need needs never nothing now ok okay one people please possible put puts question
    questions quite really right said say see seem simply somebody someone something soon still stuff sure take
    takes tell thank thanks thing things think though to today tomorrow tried try trying two us use used using via want
    wanted wants wasnt way ways well went whats whens wheres without wont wouldnt yes yesterday yet able wondering wonder
    there anyway somehow guys idea best good policy rule rules work works worked working
    hiya heya omg lol wtf idk tbh btw u ur ya yous wot wots whos hows pls plz thx ta cheers cos coz cuz bc wanna gotta
    dunno kinda sorta lemme gimme bit lot lots bloody damn hell sorry bother currently basically literally
    per since ago take taken taking make making made happen happens happened happening hardly seems seemed everyone
    everybody suddenly`.split(/\s+/),
  de: `bitte hallo hi hey guten tag danke moechte möchte möchten kannst könnt könnten konnte gibt gibts geht gehts
    warum wieso weshalb wann wer wen wem woher wohin wofür womit wodurch wieviel wieviele welch hilfe helfen wissen
    weiß gern gerne gerade eben mal ja nein schon immer beim bekomme bekommen finde finden macht mache tun tue
    brauche brauchen darf dürfen müssen muß mußte lässt lassen gehen möglich möglichkeit frage fragen leider
    eigentlich irgendwie überhaupt etwa bereits sobald bzw etc per ab je mehr viele vielen wurde wurden worden sei
    euch ihr euer eure eurer eurem euren habt hab krieg kriege kriegt kriegen komm komme kommt kommen nehmt nehme
    nehmen nimmt gebt gib geben ne nen nem nix nichts lang lange dauert dauern dauer zeug sache sachen drauf her rein
    ganz echt halt jetzt heute nun bitteschoen seid unter wegen wohin zwei uns unser unsere unsere glaube würde wuerde
    steht stehen stehe irgendwo irgendwas zum zur vom am im beim gut richtig funktioniert klappt braucht brauchst
    liegt zeigt sagt sagen läuft laufen welchen welchem wollen wollt wolle mag magst gehoert wirklich genau einfach
    deren dabei davon dafür daran darauf dadurch wäre hätte hätten`.split(/\s+/),
  es: `por favor hola gracias quiero quisiera puedo puede pueden podría hacer hago hace necesito necesita cómo cuándo
    dónde cuál cuáles cuánto cuánta cuántos cuántas quién quiénes saber ayuda gustaría debo tengo tiene`.split(
    /\s+/,
  ),
  fr: `bonjour merci svp veux voudrais peux peut peuvent pourrais faire fais fait besoin comment quand où quel quelle
    quels quelles combien pourquoi savoir aide dois doit est-ce`.split(/\s+/),
  ru: `пожалуйста здравствуйте привет спасибо хочу могу можно можете нужно надо как когда где какой какая какие каков
    сколько почему зачем кто кого чем каким каких какую`.split(/\s+/),
  tr: `lütfen merhaba teşekkürler istiyorum nasıl nerede nereden nereye ne neden niçin kim kimdir hangi hangisi kaç
    kadar nedir midir mıdır mi mı mu mü olarak vardır var olan hangileri`.split(/\s+/),
  zh: `请问 请 你好 怎么 怎样 如何 什么 哪 哪个 哪些 哪里 谁 多少 几 为什么 何时 吗 呢 是 的 了 在 我 我们 你 您 想 可以 能 有 和 与 被 什么时候 哪一 哪种 哪位 何 之 个 为 是什么 是否 中 上 年`.split(
    /\s+/,
  ),
};
