/** Up to four words, between the request and what became of it. */
const FEW = "(?:[\\p{L}'’]+ ){0,4}";

/** A request that arrived, or that somebody has yet to look at, in the languages in which the guard knows claims. */
const SPACED = [
  `requests?(?: (?:to|for) [^.,;:!?\\n]{1,40})? ${FEW}(?:received|submitted|sent|forwarded|registered|logged|escalated|passed on)`,
  "(?:received|submitted|sent|forwarded|logged) (?:your|the|an?) (?:\\p{L}+ ){0,2}request",
  "(?:under|in) review|being (?:processed|reviewed|cancell?ed|refunded)|is processing|(?:requires?|needs?|subject to) (?:\\p{L}+ )?(?:approval|confirmation)",
  `\\p{L}*(?:anfrage|antrag|anliegen) ${FEW}(?:eingegangen|erhalten|übermittelt|gesendet|weitergeleitet|aufgenommen|eingereicht)`,
  `wird ${FEW}bearbeitet|in prüfung`,
  `demande ${FEW}(?:reçue|envoyée|transmise|enregistrée)|reçu \\p{L}+ demande`,
  `solicitud ${FEW}(?:recibida|enviada|registrada)|recibi(?:do|mos) \\p{L}+ solicitud|en revisión`,
  `richiesta ${FEW}(?:ricevuta|inviata|inoltrata|registrata|presa in carico)|ricevuto \\p{L}+ (?:\\p{L}+ )?richiesta|sarà (?:esaminat|valutat|verificat)[oa]`,
  `solicitação ${FEW}(?:recebida|enviada|registrada)|recebemos ${FEW}solicitação`,
  `verzoek ${FEW}(?:ontvangen|ingediend|verstuurd|doorgestuurd|geregistreerd)`,
  `(?:prośba|wniosek) ${FEW}(?:przyjęt|wysłan|otrzyman|złożon)[ay]|(?:złożono|otrzymaliśmy) (?:\\p{L}+ )?(?:wniosek|prośbę)`,
  `(?:запрос|заявка) ${FEW}(?:получен|отправлен|принят|передан|зарегистрирован)а?|получили \\p{L}+ (?:запрос|заявку)|на рассмотрении`,
  `taleb(?:iniz|i) (?!üzerine)${FEW}(?:alındı|iletildi|gönderildi)|talep edildi|incelen(?:ecek|iyor)\\p{L}*`,
  "wait(?:ing[ -])?list|warteliste|liste d[’']attente|lista de espera|lista d[’']attesa|wachtlijst|bekleme listesi|قائمة الانتظار",
  "تم طلب|\\p{L}{0,2}استلمنا طلب\\p{L}*|قيد المراجعة",
].join("|");
const UNSPACED =
  "已(?:申请|申請|提交)|(?:申请|申請|请求|請求)已(?:提交|收到)|收到(?:您|你)的(?:申请|申請|请求|請求)|(?:审核|審核|审查|審查)中|(?:申請|依頼|リクエスト)し(?:まし)?た|(?:申請|依頼|リクエスト)を受け?付け|審査中|確認中|[发發][起动動]|[启啟]动|啟動|候[补補]|キャンセル待ち";

const ANY_WORD = "(?:[^\\s.!?;,]+ )";
/** The first words of a text. After one such as "and" or "was", it may already have said that something was done. */
const BEGIN = `^(?:(?!(?:[-–—]|and|is|was|has|have|been|und|ist|wurden?|et|est|été|y|ha|fue|foi|e|è|en|zijn|i|został[ao]?|и|ve) )${ANY_WORD}){1,8}`;

/** That it will happen, would happen, or waits for a confirmation. */
const ANNOUNCED = [
  `${BEGIN}(?:will|would) be (?:cancell?ed|refunded|processed|changed|updated|deleted|removed|created|booked|issued|made|returned|credited)`,
  "would (?:cancel|refund|change|update|delete|remove|create|book|issue)|^we(?: wi|['’])ll (?:\\p{L}+ )?(?:process|cancel|refund|change|update|check)",
  "dry[ _-]?run|please confirm|are you sure|confirmation (?:is )?(?:required|needed)|^(?:\\p{L}+ )?(?:processing|submitted)[.…]*$|status: ?(?:processing|submitted|on hold|draft)|accepted for processing",
  "submitted for (?:approval|review)|notified (?:of|about) \\p{L}+ (?:\\p{L}+ )?request",
  "(?:refund|cancell?ation|return) request (?:[#\\p{L}\\p{N}-]+ ){0,4}(?:created|opened|raised)",
  `${BEGIN}wird ${ANY_WORD}{0,5}(?:storniert|erstattet|gekündigt|geändert|veranlasst|vorgenommen|gelöscht)`,
  "würden?|bitte bestätigen|bestätigung (?:ist )?(?:erforderlich|nötig|notwendig)",
  `${BEGIN}(?:sera|seront) (?:annulé|remboursé|effectué|traité|modifié)e?s?|veuillez confirmer|à (?:valider|confirmer)`,
  `${BEGIN}(?:será (?:cancelad|reembolsad|pro[cs]es+ad|modificad|efectuad|efetuad|alterad)[oa]|se (?:procesará|cancelará|reembolsará|efectuará|realizará|modificará))`,
  "por favor,? confirme|prega di confermare",
  `${BEGIN}(?:sarà|verrà) (?:annullat|rimborsat|elaborat|effettuat|modificat)[oa]`,
  `${BEGIN}wordt ${ANY_WORD}{0,5}(?:geannuleerd|terugbetaald|verwerkt|gewijzigd|opgezegd)|bevestig (?:de|het|uw)`,
  `${BEGIN}(?:zostanie|będzie) (?:anulowan|zwrócon|przetworzon|zmienion|zrealizowan)[aey]|potwierdź`,
  `${BEGIN}буд[еу]т (?:отмен[её]н|возвращ[её]н|выполнен|обработан|измен[её]н)\\p{L}*|подтвердите`,
  `${BEGIN}(?:iptal|iade) edilecek\\p{L}*|işleme alındı|lütfen onaylayın`,
  "we(?: wi|['’])ll confirm|wir bestätigen (?:es|das|dies)|confirmerons|confirmaremos|confermeremo|bevestigen (?:we|wij)|potwierdzimy|подтвердим|onaylayacağız",
  "^سيتم (?:رد|إلغاء|استرداد|معالجة|تعديل|تحديث)|يرجى تأكيد",
].join("|");
const ANNOUNCED_UNSPACED =
  "^[^。，,；;！!已]*[将將][在于於会會被][^。，,；;！!已]{0,8}(?:退款|取消|退回|处理|處理)|^[将將](?:退款|取消)|^[请請][确確][认認]|^[^。！!]*(?:返金|キャンセル|処理|変更|解約)(?:は[^。]{0,8}行わ|さ)れます";

/** Not "as requested", and not what was requested, such as "efectuado el reembolso solicitado". */
const ASKED =
  "(?<!(?<!\\p{L})(?:as|you|we|user|customer|wie|comme|lo|como|conforme|come|zoals) )(?:requested|angefragt|beantragt|angefordert|demandée?s?|solicitad[oa]s?|richiest[oaie]|aangevraagd|запрошен[аоы]?)";
const WORD = "[\\p{L}\\p{N}#-]+ ";
/** After an article comes what was requested. */
const NO_ARTICLE = "(?!(?:les?|la|el|los|las|il|i|gli|o|a|os|as) )";
/** A sentence of a few words that ends with "requested", such as "Refund requested for order 17". */
const ENDS_ASKED = `(?:^|[.!?:;,\\n] ?)${WORD}(?:${NO_ARTICLE}${WORD}){0,4}${ASKED}(?=$|[.,;!\\n]| (?:for|für|pour|para|per|voor|con|com|avec) | successfully)`;

const REQUESTED = new RegExp(
  `(?<!\\p{L})(?:${SPACED}|${ANNOUNCED})(?!\\p{L})|${UNSPACED}|${ANNOUNCED_UNSPACED}|${ENDS_ASKED}`,
  "iu",
);

/** Whether a text says that something was asked for or announced, and not that it was done. */
export function saysRequested(text: string): boolean {
  return REQUESTED.test(text);
}
