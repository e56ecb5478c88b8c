/** Words that leave open whether a tool did something, in the languages in which the guard knows claims. */
const SPACED = [
  "fail\\p{L}*|error\\p{L}*|den(?:y|ied)|reject\\p{L}*|refus\\p{L}*|declin\\p{L}*|invalid|abort\\p{L}*|pending|queued|in progress|unknown|not|no|cannot|unable|never|nothing|false|null",
  "fehler\\p{L}*|fehlgeschlagen|fehlschlag\\p{L}*|gescheitert|abgelehnt|verweigert|ungültig\\p{L}*|abgebrochen|ausstehend|in bearbeitung|unbekannt\\p{L}*|unmöglich|nicht\\p{L}*|kein\\p{L}*",
  "échou\\p{L}*|échec\\p{L}*|erreur\\p{L}*|rejet\\p{L}*|invalide|en attente|en cours|inconnue?|impossible|pas|aucune?",
  "fall[oaó]|fallad[oa]|fallid[oa]|rechazad[oa]|denegad[oa]|inválid[oa]|pendientes?|en curso|en proceso|desconocid[oa]|imposible|ningun[oa]?",
  "errore|fallit[oa]|rifiutat[oa]|respint[oa]|in attesa|in corso|sconosciut[oa]|impossibile|non|nessun[oa]?",
  "erro|falh\\p{L}*|recusad[oa]|rejeitad[oa]|pendente|em andamento|desconhecid[oa]|impossível|não|nenhuma?",
  "fout|mislukt|geweigerd|afgewezen|ongeldig|in behandeling|onbekend|onmogelijk|niet|geen",
  "błąd|błęd\\p{L}*|odrzucon\\p{L}*|niepowodzenie\\p{L}*|nieudan\\p{L}*|oczekuj\\p{L}*|nieznan\\p{L}*|nie|brak",
  "ошиб\\p{L}*|отклон\\p{L}*|отказ\\p{L}*|неудач\\p{L}*|ожида\\p{L}*|неизвест\\p{L}*|невозможно|не|нет",
  "hata\\p{L}*|başarısız\\p{L}*|reddedil\\p{L}*|geçersiz|beklemede|bekliyor|işleniyor|bilinmiyor|değil|\\p{L}+(?:madı|medi)",
  "\\p{L}?فشل\\p{L}*|\\p{L}{0,2}خطأ|رفض|مرفوض|لم|تعذر|غير|معلق|قيد المعالجة",
];
const UNSPACED =
  "失败|失敗|错误|錯誤|拒绝|拒絕|无法|無法|未|没有|沒有|不|等待|待处理|待處理|处理中|處理中|エラー|ません|できない|できず|拒否|保留|無効|処理中";

const DOUBT = new RegExp(`(?<!\\p{L})(?:${SPACED.join("|")})(?!\\p{L})|n[’']t(?!\\p{L})|${UNSPACED}`, "iu");

/** Whether a text says that a tool did not do it, or not yet, or leaves it open. */
export function saysDoubt(text: string): boolean {
  return DOUBT.test(text.normalize("NFC"));
}
