import { expect, test } from "vitest";
import { languageNamed, UNKNOWN_LANGUAGE } from "./languages.ts";
import { warns } from "./warnings.ts";

/** By language: a sentence that warns, and one that does not, with a word that begins alike where there is one. */
test.each([
  ["en", "Never open the lid while it is hot.", "We never see your card number."],
  ["de", "Öffnen Sie den Deckel nie im Betrieb.", "Der niedrige Deckel ist gefaltet."],
  ["es", "Nunca abra la tapa caliente.", "Abra la tapa y cierre la puerta."],
  ["fr", "N'ouvrez jamais le couvercle.", "Ouvrez le couvercle avec attention."],
  ["it", "Non aprite mai il coperchio caldo.", "Aprite il coperchio in maggio."],
  ["pt", "Nunca abra a tampa quente.", "Abra a tampa e feche a porta."],
  ["nl", "Open het deksel nooit.", "Open het deksel rustig."],
  ["da", "Åbn aldrig låget.", "Åbn låget med farven rød."],
  ["sv", "Öppna aldrig locket.", "Öppna locket när du far hem."],
  ["nb", "Åpne aldri lokket.", "Åpne lokket med fargen rød."],
  ["fi", "Älä koskaan avaa kantta.", "Avaa kansi varovasti."],
  ["hu", "Soha ne nyissa ki a fedelet.", "Nyissa ki a fedelet."],
  ["ro", "Nu deschideți niciodată capacul.", "Deschideți capacul."],
  ["tr", "Kapağı asla açmayın.", "Kapağı açın."],
  ["lt", "Niekada neatidarykite dangčio.", "Atidarykite dangtį."],
  ["sl", "Nikoli ne odpirajte pokrova.", "Odprite pokrov."],
  ["ga", "Rabhadh: tá an clúdach te.", "Oscail an clúdach."],
  ["id", "Jangan buka tutupnya.", "Buka tutupnya."],
  ["ru", "Никогда не открывайте крышку.", "Откройте крышку."],
  ["uk", "Ніколи не відкривайте кришку.", "Відкрийте кришку."],
  ["bg", "Никога не отваряйте капака.", "Отворете капака."],
  ["sr", "Nikada ne otvarajte poklopac.", "Otvorite poklopac."],
  ["el", "Μην ανοίγετε ποτέ το καπάκι.", "Ανοίξτε το καπάκι."],
  ["hy", "Երբեք մի բացեք կափարիչը։", "Բացեք կափարիչը։"],
  ["ar", "تحذير: الغطاء ساخن.", "افتح الغطاء."],
  ["hi", "ढक्कन कभी नहीं खोलें।", "ढक्कन खोलें।"],
  ["ne", "ढक्कन कहिल्यै नखोल्नुहोस्।", "ढक्कन खोल्नुहोस्।"],
  ["ta", "மூடியை ஒருபோதும் திறக்க வேண்டாம்.", "மூடியைத் திறக்கவும்."],
  ["zh", "切勿打开盖子。", "请打开盖子。"],
  ["ja", "ふたを絶対に開けないでください。", "ふたを開けてください。"],
  ["pl", "Nigdy nie otwieraj pokrywy.", "Nie musisz otwierać pokrywy."],
  ["cs", "Nikdy neotvírejte víko.", "Otevřete víko."],
  ["sk", "Varovanie: veko je horúce.", "Otvorte veko."],
  ["hr", "Poklopac se ne smije otvarati.", "Otvorite poklopac."],
  ["et", "Ärge kunagi avage kaant.", "Avage kaas."],
  ["lv", "Nekad neatveriet vāku.", "Atveriet vāku."],
  ["ca", "Perill: la tapa és calenta.", "Obriu la tapa."],
  ["vi", "Không bao giờ mở nắp.", "Hãy mở nắp."],
  ["he", "אסור לפתוח את המכסה.", "פתחו את המכסה."],
  ["fa", "هرگز درپوش را باز نکنید.", "درپوش را باز کنید."],
  ["ko", "뚜껑을 절대 열지 마십시오.", "뚜껑을 여십시오."],
  ["th", "ห้ามเปิดฝา", "เปิดฝา"],
])("AGENT1 a warning is told from an instruction in %s", (code, warning, instruction) => {
  const language = languageNamed(code) ?? UNKNOWN_LANGUAGE;
  expect(warns(warning, language)).toBe(true);
  expect(warns(instruction, language)).toBe(false);
});
