const DIGIT = /\p{Nd}/u;

/**
 * Writes the decimal digits of every script as 0 to 9. Unicode has each script's digits in one run; those of mathematics
 * are several runs without a gap, which its compatibility form resolves.
 */
export function asciiDigits(text: string): string {
  return text.replace(/[^\P{Nd}0-9]/gu, (digit) => {
    const plain = digit.normalize("NFKC");
    if (/^[0-9]$/.test(plain)) return plain;
    const code = digit.codePointAt(0) ?? 0;
    let value = 0;
    while (value < 9 && DIGIT.test(String.fromCodePoint(code - value - 1))) value += 1;
    return String(value);
  });
}
