import type { ClaimPhrases } from "../claim-phrases.ts";

const PAST = "(?:d[iıuü]|t[iıuü])(?:m|k)";
const PASSIVE = "(?:d[iıuü]|t[iıuü]|m[iıuü][sş](?:t[iıuü]r)?|m[iıuü][sş]t[iıuü])";

export const tr: ClaimPhrases = {
  acts: {
    cancel: `(?:iptal edil|durdurul|feshedil|geri [cç]ekil|sonland[iı]r[iı]l)${PASSIVE}`,
    refund: `(?:iade edil|geri [oö]den|[oö]den|yat[iı]r[iı]l)${PASSIVE}`,
    change: `(?:de[gğ]i[sş]tiril|g[uü]ncellen|d[uü]zeltil|uzat[iı]l|s[iı]f[iı]rlan|etkinle[sş]tiril|eklen|yenilen|ertelen|uygulan|ayarlan|a[cç][iı]l|ta[sş][iı]n|onar[iı]l|kald[iı]r[iı]l|d[uü]zenlen|kaydedil|engellen)${PASSIVE}`,
    remove: `(?:silin|kapat[iı]l|kald[iı]r[iı]l)${PASSIVE}`,
    send: `(?:g[oö]nderil|kargolan|iletil|postalan|yollan|teslim edil|kargoya veril)${PASSIVE}`,
    create: `(?:olu[sş]turul|a[cç][iı]l|rezerve edil|sipari[sş] edil|kaydedil|planlan|ba[sş]lat[iı]l|haz[iı]rlan|kay[iı]t edil|al[iı]n|yap[iı]l)${PASSIVE}`,
    handoff: `(?:aktar[iı]l|y[oö]nlendiril|bilgilendiril|haber veril|ba[gğ]lan|devredil|uyar[iı]l|iletil|atan)${PASSIVE}`,
    done: `(?:tamamlan|i[sş]len|onaylan|[cç][oö]z[uü]l|hallol|halledil|ger[cç]ekle[sş]tiril|sonu[cç]land[iı]r[iı]l|bit)${PASSIVE}|tamamd[iı]r|haz[iı]r|ba[sş]ar[iı]yla`,
  },
  does: "iptal (?:ediyorum|edece[gğ]im|ediyoruz|edece[gğ]iz)|iade (?:ediyorum|edece[gğ]im|ediyoruz|edece[gğ]iz)|(?:g[oö]nderiyor|g[oö]nderece[gğ]|aktar[iı]yor|aktaraca[gğ]|y[oö]nlendiriyor|y[oö]nlendirece[gğ]|g[uü]ncelliyor|g[uü]ncelleyece[gğ]|de[gğ]i[sş]tiriyor|de[gğ]i[sş]tirece[gğ]|siliyor|silece[gğ]|ba[gğ]l[iı]yor|ba[gğ]layaca[gğ]|bildiriyor|bildirece[gğ]|iletiyor|iletece[gğ]|olu[sş]turuyor|olu[sş]turaca[gğ]|hallediyor|halledece[gğ])(?:um|uz|im|iz|[iı]m|[iı]z)",
  own: "sipari[sş]iniz|iadeniz|iptaliniz|talebiniz|hesab[iı]n[iı]z|adresiniz|aboneli[gğ]iniz|paran[iı]z|sizin|size|bu|o|her [sş]ey|[a-zçğıöşü]+n[iıuü]z|[a-zçğıöşü]+n[iıuü]z[iıuüae]|sipari[sş]in|i[sş]leminiz|bir|sipari[sş]|talep|hesap",
  adverbs:
    "[sş]imdi|az [oö]nce|hemen|zaten|ba[sş]ar[iı]yla|otomatik olarak|bug[uü]n|tamamen|sizin i[cç]in|art[iı]k|da|de|[sş]u anda|az evvel|derhal|bizzat",
  any: "(?!(?:tasarlan|[uü]retil|yap[iı]lan|test edil|kapsan|[cç]al[iı]n|hasar|kaybol|kullan[iı]l|gerek|bekle|belirtil)[a-z]*(?= |$))[a-zçğıöşü]{2,}(?:[ln])(?:d[iıuü]|m[iıuü][sş](?:t[iıuü]r)?)",
  things:
    "[a-zçğıöşü]{2,}n[iıuü]z(?:[iıuü]|[aedn][a-z]{0,4})?|sipari[sş]|paket|kargo|iade|[oö]deme|[cç]ekim|[uü]cret|ceza|bedeli?|fatura|para|tutar|bakiye|indirim|kart|hesap|limit|[sş]ifre|kod|hat|tarife|s[oö]zle[sş]me|abonelik|koltuk|bilet|talep|[sş]ikayet|rezervasyon|u[cç]u[sş]|oda|bavul|randevu|adres",
  when: "bug[uü]n|yar[iı]n|yak[iı]nda|(?:pazartesi|sal[iı]|[cç]ar[sş]amba|per[sş]embe|cuma|cumartesi|pazar)(?: g[uü]n[uü])?|(?:\\d+|bir|iki|[uü][cç]|birka[cç]) (?:g[uü]n|saat|hafta|i[sş] g[uü]n[uü])(?: i[cç]inde)?",
  open: {
    ours: [
      "(?!(?:yard[iı]m|ad[iı]m|prakti|takti|sisti|anla|g[oö]r|oku|bul|bak|kontrol et|[uü]z[uü]l|ara[sş]t[iı]r|sevin|belirt|a[cç][iı]kla|listele|s[oö]yle|duy|[oö][gğ]ren|d[uü][sş][uü]n|iste|dene|incele|bil|hat[iı]rla|tan[iı]t|g[oö]ster|[oö]ner|[oö]zetle|fark et|te[sş]ekk[uü]r et|rica et|kalma|unut)[a-z]*(?= |$))[a-zçğıöşü]+(?:[a-zçğıöşü](?<![fstkcshp])d[iıuü][mk]|[ftkçcşhp]t[iıuü][mk]|st[iıuü]m)",
      "(?!(?:anl[iı]|g[oö]r|bil|d[uü][sş][uü]n|iste|[oö]ner|um|bak|[uü]z[uü]l|soru|ar[iı]|te[sş]ekk|rica|tavsiye|tahmin|s[oö]yl|ed|oku|ol|kontrol)[a-z]*(?= |$))[a-zçğıöşü]{2,}[iıuü]yor(?:um|uz)",
    ],
    happened: [
      "<thing>(?: [^ ,]+){0,3} (?:yeniden|tekrar) (?:aktif|[cç]al[iı][sş][iı]yor|kullan[iı]labilir|a[cç][iı]k)",
      "(?:<thing>)(?: [^ ,]+){0,5}? <any>(?= ,|$| ve | ama )",
      "(?:[a-zçğıöşü]{2,}n[iıuü]z)(?: [^ ,]+){0,2}? (?:art[iı]k|[sş]imdi|[sş]u an)(?: [^ ,]+){0,2}? (?:ekibimizde|ekibinde|[a-zçğıöşü]+(?:d[ea]|t[ea]))(?= ,|$)",
      "(?:<thing>)(?: [^ ,]+){0,3}? (?:ge[cç]ti|d[uü][sş]t[uü]|[cç][iı]kt[iı]|tamam)(?= ,|$)",
      "(?<=^|, )(?:[^ ,]+ ){1,4}(?:[a-zçğıöşü]+ )?(?:edil|al[iı]n|onaylan|kabul edil|[iı][sş]len|a[cç][iı]l)(?:d[iıuü]|m[iıuü][sş]t[iıuü]r)(?= ,|$)",
      "(?:<thing>)(?: [^ ,]+){0,5}? (?![a-zçğıöşü]*m[ae]d[iıuü](?= |$))[a-zçğıöşü]{2,}(?:[dt][iıuü])(?= ,|$)",
      "[a-zçğıöşü]{2,}n[iıuü]z(?:da|de)(?= ,|$)",
      "(?:[a-zçğıöşü]{2,}n[iıuü]z) (?:zaten|[sş]u an) [^ ,]+[dt][ea](?= ,|$| oldu[gğ]u)",
      "oldu bile",
      "(?!kullan)[a-zçğıöşü]{2,}(?:edil|lan|len|r[iı]l|t[iıuü]r[iıuü]l)d[iıuü]n[iıuü]z",
      "(?:[a-zçğıöşü]+ )(?:kapal[iı]|a[cç][iı]k|aktif|pasif|iptal) art[iı]k",
    ],
    announced: [
      "(?:para|tutar|iade|[a-zçğıöşü]{3,}[iıuü]n[iıuü]z)(?: [^ ,]+){0,6}? (?:ge[cç]ecek|yatacak|d[oö]necek|gelecek|ula[sş]acak|olacak|bitecek|sona erecek|[cç][iı]kacak)(?:t[iı]r)?",
      "(?:<when>)(?: [^ ,]+){0,5}? (?:gelecek|olacak|arayacak|u[gğ]rayacak|elinizde|ula[sş]acak)(?:t[iı]r)?",
      "(?:teknisyen|kurye|usta)(?: [^ ,]+){0,5}? (?:gelecek|gelir|arayacak|u[gğ]rayacak|alacak)(?:t[iı]r)?",
      "(?:bankan[iı]za|hesab[iı]n[iı]za|kart[iı]n[iı]za|kap[iı]n[iı]z[a-z]*)(?: [^ ,]+){0,3}? (?:gidiyor|geliyor|yat[iı]yor|d[oö]n[uü]yor|olacak|[cç][iı]k[iı]yor)",
      "(?:s[uü]r[uü]c[uü]|kurye|teknisyen)(?: [^ ,]+){0,3}? (?:geri d[oö]n[uü]yor|yolda|geliyor|olacak)",
    ],
  },
  we: [
    `(?:iptal et|iade et|rezerve et|talep et|kay[iı]t et|g[oö]nder|de[gğ]i[sş]tir|g[uü]ncelle|sil|ilet|aktar|olu[sş]tur|bilgilendir|tamamla|onayla|ba[gğ]la|kaydet|a[cç]|uzat|s[iı]f[iı]rla|yolla|y[oö]nlendir|hallet|kapat|ekle|ayarla|[oö]de|yat[iı]r|d[uü]zelt|haber ver|ba[sş]lat|planla|yenile|durdur|kald[iı]r|i[sş]le|sipari[sş] et|[cç][oö]z|bildir|yapt?|ger[cç]ekle[sş]tir|devret|uygula)${PAST}`,
    "<do>",
    `hallettim|hallettik`,
  ],
  was: ["<act>(?= ,|$| ve | ama | tir)", "(?:yola [cç][iı]kt[iı]|yoldad[iı]r|yolda)"],
  soon: [
    "(?:alacaks[iı]n(?:[iı]z)?)",
    "(?:size|sana|e postan[iı]za|hesab[iı]n[iı]za)(?: [^ ,]+){0,7}? (?:ula[sş]acak(?:t[iı]r)?|gelecek(?:tir)?|g[oö]nderilecek(?:tir)?|yatacak(?:t[iı]r)?|yat[iı]r[iı]lacak(?:t[iı]r)?|d[oö]necek(?:tir)?|yazacak(?:t[iı]r)?|d[uü][sş]ecek(?:tir)?|arayacak(?:t[iı]r)?|ba[gğ]lanacak(?:t[iı]r)?|bilgi verece[gğ]i[zm])",
    "(?:[a-zçğıöşü]+n[iıuü]z|[a-zçğıöşü]+n[iıuü]z[iıuü]|[a-zçğıöşü]+m[iıuü]z|talebiniz|bu|i[sş]leminiz)(?: [^ ,]+){0,7}? (?:edilecek(?:tir)?|[a-zçğıöşü]*[ln]acak(?:t[iı]r)?|[a-zçğıöşü]*[ln]ecek(?:tir)?|ediliyor|[a-zçğıöşü]+[ln][iıuü]yor)",
    "(?:meslekta[sş][iı]m|temsilci|temsilcimiz|ekibimiz|ekip|birisi|biri|yetkili|uzman|uzman[iı]m[iı]z|arkada[sş][iı]m(?:[iı]z)?|g[oö]revli|insan|destek)(?: [^ ,]+){0,7}? (?:ileti[sş]ime ge[cç]ecek(?:tir)?|arayacak(?:t[iı]r)?|yazacak(?:t[iı]r)?|kat[iı]lacak(?:t[iı]r)?|ilgilenecek(?:tir)?|d[oö]necek(?:tir)?|ilgileniyor|inceliyor|yan[iı]tlayacak(?:t[iı]r)?|devralacak(?:t[iı]r)?|cevap verecek(?:tir)?|yard[iı]mc[iı] olacak(?:t[iı]r)?)",
    "(?:ileti[sş]ime ge[cç]ece[gğ]i[zm]|size d[oö]nece[gğ]i[zm]|arayaca[gğ][iı][zm])",
  ],
  over: [
    "(?:aboneliğiniz|aboneliğin|üyeliğiniz|üyeliğin|siparişiniz|siparişin|sözleşmeniz|rezervasyonunuz|hesabınız|planınız)(?: [^ ,]+){0,2}? (?:artık )(?:[^ ,]+ ){0,2}?(?:değil|yok|bulunmuyor|yenilenmeyecek|devam etmiyor|geçerli değil|aktif değil)",
    "artık(?: [^ ,]+){0,3}? (?:aboneliğiniz|aboneliğin|üyeliğiniz|siparişiniz|rezervasyonunuz)(?: [^ ,]+){0,2}? (?:yok|bulunmuyor|değil)",
  ],
  nouns: {
    cancel: "iptal",
    refund: "iade|geri ödeme",
    change: "adres değişikliği|değişiklik",
    send: "değişim|onay",
    create: "rezervasyon|kayıt",
  },
  alone: "(?:(?:her [sş]ey|evet|tamam|sipari[sş]iniz|durum|ok|[a-z]*\\d\\w*) )*<act>",
  you: "[a-zçğıöşü]{2,}n[iıuü]z(?:[iıuü]|[aedn][a-z]{0,4})?|siz|size|sizi|sizin|sana|seni|senin",
  tensed:
    "<any>|<act>|az [oö]nce|[sş]imdi|art[iı]k|hemen|(?![a-zçğıöşü]*m[ae]d[iıuü](?= |$))[a-zçğıöşü]{2,}(?:[dt][iıuü])|<when>",
  dated:
    "[sş]imdi|[sş]imdiden|az [oö]nce|art[iı]k|d[uü]n|bu sabah|(?:\\d+|bir|iki|birka[cç]) (?:dakika|saat|g[uü]n) [oö]nce|(?:bug[uü]nden|[sş]u andan|yar[iı]ndan) itibaren",
  says: "(?:yazd[iı]n[iı]z|yazm[iı][sş](?:s[iı]n[iı]z|t[iı]n[iı]z)|yaz[iı]yorsunuz|belirttiniz|belirtmi[sş]tiniz|belirtiyorsunuz|s[oö]ylediniz|s[oö]ylemi[sş]tiniz|s[oö]yl[uü]yorsunuz|bildirdiniz|bildirmi[sş]tiniz|ifade ettiniz|anlatt[iı]n[iı]z|dediniz)",
  unless:
    "e[gğ]er|ise|(?<=m[ae]k )i[cç]in|zaman|ederseniz|isterseniz|nas[iı]l|(?<!(?:dakika|saat|g[uü]n|hafta|[oö][gğ]leden) )sonra|(?<!(?:[oö][gğ]leden|ak[sş]amdan) )[oö]nce|kadar|genellikle|normalde|her zaman|halinde|durumunda|mi|m[iı]|mu|m[uü]|olabilir|gerekir|[a-zçğıöşü]+(?:rsa|rse|rsan[iı]z|rseniz|[dt][iıuü]ysa|[dt][iıuü]yse|[dt][iıuü][gğ][iıuü]nde|ald[iı][gğ][iı]n[iı]zda|d[iıuü]ktan|t[iıuü]kten|ınca|ince)|olan|olunan|[a-zçğıöşü]+[ae]bilir(?:siniz|sin|iz|im)?|s[uü]rece",
  politely:
    "ba[sş]ka (?:bir )?(?:[^ ,]+ ){0,2}(?:sorunuz|konu|[sş]ey)[a-zçğıöşü]*|isteginiz|sizin i[cç]in|iste[gğ]iniz|az [oö]nce|[oö]nce[a-z]* (?:[sş]imdi)",
  not: "[a-zçğıöşü]{2,}m[ae]d[iı][mk]?|[a-zçğıöşü]{2,}m[iıuü]yor(?:um|uz|sunuz|lar)?|[a-zçğıöşü]{2,}m[ae]m[iı][sş](?:t[iı]r)?|[a-zçğıöşü]{2,}m[ae]y[ae]ca[gğ][iı][mz]|[a-zçğıöşü]{2,}m[ae]y[ae]ce[gğ]i[mz]|de[gğ]il|yok|hi[cç]|hi[cç]bir|asla|kimse|hen[uü]z",
};
