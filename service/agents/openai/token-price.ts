import type { Price } from "../../../shared/answer-made.ts";
import type { EnvironmentReader } from "../../../shared/server/environment.ts";

/** The price that a model's operator charges for a million tokens, in one currency. */
export interface TokenPrice {
  readonly input: number;
  readonly output: number;
  readonly currency: string;
}

const FORM = /^(\d{1,6}(?:\.\d{1,6})?) (\d{1,6}(?:\.\d{1,6})?) ([A-Z]{3})$/;

/** Reads `0.25 2 USD`: the price of a million tokens of input and of output. */
export function readPrice(reader: EnvironmentReader, name: string): TokenPrice | undefined {
  const given = reader.text(name);
  if (given === undefined) return undefined;
  const [, input, output, currency] = FORM.exec(given) ?? [];
  if (currency !== undefined) return { input: Number(input), output: Number(output), currency };
  reader.refuse({
    name,
    fault: "must be the price of a million tokens of input, that of a million of output, and the currency.",
    example: `${name}="0.25 2 USD"`,
  });
  return undefined;
}

export function priceOf(price: TokenPrice, inputTokens: number, outputTokens: number): Price {
  const amount = (inputTokens * price.input + outputTokens * price.output) / 1_000_000;
  return { amount, currency: price.currency };
}
