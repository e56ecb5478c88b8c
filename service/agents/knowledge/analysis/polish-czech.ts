/**
 * Polish and Czech, for which the packages have neither stemmer nor stop words. Without them their articles were taken
 * for Spanish.
 */
export const POLISH_STOP_WORDS =
  `a aby ale albo bez być był była było były będę będzie będą by byłoby chcę chce chciałbym chciałabym ci cię
  co coś czy czyli dla dlaczego do dzień dobry cześć dziękuję gdy gdzie gdyby i ich ile im inny inne ja jak jaka jaki jakie
  jakich jako jakiś je jego jej jest jestem jeszcze jeśli jeżeli już każdy kiedy kto która które który których ktoś lub ma
  macie mam mamy mi mieć mną mnie moja moje moją mój mogę może można muszę my na nad nam nas nasz nasza nasze nie niego niej
  nich nim o od on ona one oraz pan pani państwo po pod ponieważ potem potrzebuję powinienem poza prosze proszę przed przez
  przy są się skąd ta tak taka taki także tam te tego tej ten teraz też to trzeba trwa tu ty tym u w wam was wasz wasza wasze
  we więc witam wszystko z za zaś ze zrobić że żeby długo`.split(/\s+/);

export const CZECH_STOP_WORDS =
  `a aby ale ani ano až bez bude budou budu by bych byl byla bylo být co což či do dobrý den děkuji ho chci chtěl
  chtěla i já jak jaká jaké jaký jako je jeho jej její jejich ještě ji jsem jsi jsme jsou jste k kam kde kdo kdy když ke která
  které který kolik ku má mám máte máme mě mezi mi mít mne mnou mohu můj můžu může můžete my na nad nám nás náš naše ne nebo
  není než ní nic o od on ona oni pak po pod pokud potřebuji pro proč prosím proto protože před při s se si so svůj ta tak také
  tam tato te tě ten tento této ti tím to toho tom tu ty u už v vám vás váš vaše ve však vše z za zda ze že dlouho`.split(
    /\s+/,
  );

const POLISH_ENDING = /(?:ami|ach|iem|owi|ego|emu|ymi|imi|ów|om|em|ie|ią|ię|ej|ym|im|ą|ę|a|e|i|o|u|y)$/u;
const CZECH_ENDING = /(?:ami|ách|ech|ích|ého|ému|ými|ům|ou|em|ej|ím|ým|a|á|e|é|ě|i|í|o|u|ů|y|ý)$/u;

/** Derived words differ after their beginning: "reklamacja", "reklamować". */
const LONGEST_STEM = 6;
const SHORTEST_STEM = 3;

const withoutEnding = (ending: RegExp) => (word: string) => {
  const stem = word.replace(ending, "");
  return (stem.length >= SHORTEST_STEM ? stem : word).slice(0, LONGEST_STEM);
};

export const polishStem = withoutEnding(POLISH_ENDING);
export const czechStem = withoutEnding(CZECH_ENDING);
