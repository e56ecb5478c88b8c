import { saysRequested } from "./request-phrases.ts";

/** Words that leave open whether a tool did something, in the languages in which the guard knows claims. */
const SPACED = [
  "fail\\p{L}*|error(?!-free)\\p{L}*|den(?:y|ied)|reject\\p{L}*|refus\\p{L}*|declin\\p{L}*|invalid|abort\\p{L}*|pending|queued|in progress|unknown|unsuccessful\\p{L}*|insufficient|unavailable|expired|tim(?:ed[ -]|e)out|partial\\p{L}*|forbidden|unauthori[sz]ed|(?<!(?:any|bei|falls|fragen oder|sin|algún|qualsiasi|qualquer) )problem(?!los)\\p{L}*|went wrong|try again|exceed\\p{L}*|too many|awaits|awaiting|not|cannot|unable|never|nothing|nobody|no one|only|false|null",
  "fehler(?!frei|los)\\p{L}*|fehlgeschlagen|fehlschlag\\p{L}*|gescheitert|abgelehnt|verweigert|ungültig\\p{L}*|abgebrochen|ausstehend|in bearbeitung|unbekannt\\p{L}*|unmöglich|unzureichend\\p{L}*|abgelaufen\\p{L}*|teilweise|versuchen sie|überschritten|zeitüberschreitung|nicht\\p{L}*|kein\\p{L}*",
  "échou\\p{L}*|échec\\p{L}*|erreur\\p{L}*|rejet\\p{L}*|invalide|en attente|en cours|inconnue?|impossible|insuffisante?s?|indisponibles?|expirée?s?|partiel\\p{L}*|(?<!cas de )problèmes?|réessay\\p{L}*|dépassée?s?|pas|aucune?|(?<!de )rien|jamais",
  "fall[oaó]s?|fallad[oa]s?|fallid[oa]s?|rechazad[oa]s?|denegad[oa]s?|inválid[oa]s?|pendientes?|en curso|en proceso|desconocid[oa]s?|imposible|insuficientes?|caducad[oa]s?|vencid[oa]s?|parcial\\p{L}*|int[ée]ntel[oa]|excedid[oa]s?|esperando|ningun[oa]?|ningún|(?<!de )nada|nunca",
  "error[ei]|fallit[oaie]|rifiutat[oaie]|respint[oaie]|in attesa|in corso|sconosciut[oaie]|impossibile|insufficient[ei]|indisponibil[ei]|scadut[oaie]|parzial\\p{L}*|riprov\\p{L}*|limite superato|non|nessun[oa]?|(?<!di )niente|nulla",
  "err(?:os?|ou)|falh\\p{L}*|recusad[oa]s?|rejeitad[oa]s?|negad[oa]s?|pendentes?|em andamento|em processamento|em análise|desconhecid[oa]s?|impossível|indisponíve(?:l|is)|excedid[oa]s?|expirad[oa]s?|aguard\\p{L}*|tente|n[ãa]o|nenhuma?",
  "fout(?!lo(?:os|ze))\\p{L}*|mislukt|geweigerd|afgewezen|ongeldig|in behandeling|onbekend|onmogelijk|onvoldoende|verlopen|gedeeltelijk|probleem|probeer|overschreden|niet|geen|niets|nooit",
  "błąd|błęd\\p{L}*|odrzucon\\p{L}*|niepowodzenie\\p{L}*|nieudan\\p{L}*|oczekuj\\p{L}*|nieznan\\p{L}*|niewystarczając\\p{L}*|niedostępn\\p{L}*|wygas\\p{L}*|częściow\\p{L}*|spróbuj\\p{L}*|przekroczon\\p{L}*|nie|brak|nic",
  "ошиб\\p{L}*|отклон\\p{L}*|отказ\\p{L}*|неудач\\p{L}*|ожида\\p{L}*|неизвест\\p{L}*|невозможно|недостаточн\\p{L}*|недоступ\\p{L}*|частичн\\p{L}*|ист[её]к\\p{L}*|нельзя|проблем\\p{L}*|попробуйте|превыш\\p{L}*|не|нет|ничего",
  "hata\\p{L}*|başarısız\\p{L}*|reddedil\\p{L}*|geçersiz|beklemede|bekliyor|işleniyor|bilinmiyor|yetersiz|kısmen|sorun(?!suz|uz)\\p{L}*|tekrar den\\p{L}*|aşıldı|yok|değil|\\p{L}+(?:madı|medi|m[ıiuü]yor|amaz|emez)",
  "\\p{L}?فشل\\p{L}*|\\p{L}{0,2}خطأ|رفض|مرفوض|[وف]?(?:لم|لن|لا|ليس\\p{L}*)|تعذر|غير|معلق|قيد المعالجة|\\p{L}{0,2}جزئي\\p{L}*|مشكلة|حاول\\p{L}*|تجاوز\\p{L}*",
];
const UNSPACED =
  "失败|失敗|错误|錯誤|拒绝|拒絕|无法|無法|未(?!来(?!得及)|來(?!得及))|[没沒](?!问题|問題|关系|關係)|不(?!客气|客氣)|部分|超时|超時|过期|過期|重试|重試|再试|再試|超出|(?:出现|出現|发生|發生)[^。]{0,4}(?:问题|問題)|等待|待处理|待處理|处理中|處理中|エラー|ません|できない|できず|なかった|れない|一部|タイムアウト|期限切れ|問題が|再度お|超え|拒否|保留(?:中|に|と|して)|^保留$|無効|処理中";

const NUMBER = "[.:] ?#?\\d";
/** "No" as a negation: neither "number", as in "order no. 17", nor Portuguese "in the" after what was done. */
const NO = `no(?!${[
  `(?<=(?<!\\p{L})(?:order|invoice|ticket|case|booking|reservation|item|pedido|factura|ordine|fattura) no)${NUMBER}`,
  `(?<=(?<!\\p{L})(?:commande|facture|sipariş|fatura) no)(?:${NUMBER}| \\d)`,
  "(?<=(?<!\\p{L})(?:(?:efetu|realiz|lanç|credit|estorn|reembols|cancel|alter)ad|devolvid|concluíd|feit)[oa]s? no) (?:cartão|seu|nosso|mesmo|extrato|dia \\d|pedido \\d)",
  "(?<=(?<!\\p{L})(?:estorno|reembolso|crédito) no) valor de",
].join("|")})`;

const CHANGED = "(?:cancell?ed|updated|changed|deleted|modified|affected)";
/** A number of changes that is none. */
const ZERO = `(?<![\\p{N}.,])(?:0|zero) \\p{L}+ (?:were |was |have been )?${CHANGED}|${CHANGED}:? (?:0|zero)(?![.,]?\\p{N})`;

/** "2 of 3 items". */
const SOME = "(?<![\\p{N}.,/])(\\d+) (?:out )?of (?!\\1(?!\\d))\\d+ \\p{L}+";

const DOUBT = new RegExp(
  `(?<!\\p{L})(?:${SPACED.join("|")}|${NO}|${ZERO}|${SOME})(?!\\p{L})|n[’']t(?!\\p{L})|${UNSPACED}`,
  "iu",
);
/** That nothing more is to be paid, after something else and as the end of a sentence: no failure. */
const NO_CHARGE = new RegExp(
  `(?<=[.!;,—–。，] ?)(?:${[
    "(?:you )?(?:won[’']t|will not) be (?:charged|billed) (?:again|any ?more|any further)|no (?:further|additional|extra|other) (?:charges?|fees?|costs?|payments?)(?: (?:will be (?:made|taken)|will follow|appl(?:y|ies)))?",
    "es (?:entstehen|fallen|folgen)(?: (?:Ihnen|dir))? keine (?:weiteren |zusätzlichen )?(?:Kosten|Gebühren|Abbuchungen|Zahlungen)(?: an)?",
    "sans aucuns? frais(?: supplémentaires?)?|vous ne serez plus (?:débité|facturé|prélevé)e?",
    "no se (?:le|te) (?:volverá a cobrar|cobrará nada más)",
    "non ci saranno (?:altri|ulteriori) (?:addebiti|costi)|senza nessun costo aggiuntivo",
    "não haverá (?:novas|mais|outras) cobranças",
    "er worden geen (?:verdere|extra) kosten in rekening gebracht",
    "nie będzie (?:dalszych|kolejnych) opłat",
    "больше списаний не будет",
    "başka ücret alınmayacak",
    "不[会會]再(?:扣款|收[费費])",
    "今後の請求はありません",
    "ولن يتم خصم أي مبلغ آخر",
  ].join("|")})(?=[.!。]|$)`,
  "giu",
);
/** Vowels and lengthening, which Arabic may leave out. */
const ARABIC_MARKS = /[\u0640\u064b-\u0652]/gu;

/** Letters up to a few marks: the time that `normalize` takes grows with the square of the marks in a row. */
const PIECE = /\P{M}+\p{M}{0,8}|\p{M}{1,8}/gu;

/** Whether a text says that a tool did not do it, or not yet, or leaves it open. */
export function saysDoubt(text: string): boolean {
  const plain = composed(text).replace(NO_CHARGE, "");
  return DOUBT.test(plain) || saysRequested(plain);
}

/** A text as patterns are written: each letter with its marks is one character, and Arabic has no vowels. */
export function composed(text: string): string {
  return text.replace(PIECE, (piece) => piece.normalize("NFC")).replace(ARABIC_MARKS, "");
}
