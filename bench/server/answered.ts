import { BENCH_ENV, newMessage, openDoor, openStream, startCustomer } from "./customers.ts";
import { startProgram } from "./program.ts";

const CUSTOMERS = 100;
const WARM_UP = 5;
const EACH = 10;
/** No two are the same text, as no two customers write the same. */
const questionOf = (customer: number, count: number) =>
  `How long does delivery take for order ${customer}-${count}?`;

/**
 * Processor time of the whole product in one process for one message that the agent answers from an article, in ms, with
 * the customer's stream open and read until the answer is there.
 */
export async function measureAnswered(): Promise<number> {
  const product = await startProgram("bff/main.ts", { env: BENCH_ENV, path: "/readyz" });
  const door = openDoor(product.url, CUSTOMERS * 2);
  try {
    const customers = await Promise.all(
      Array.from({ length: CUSTOMERS }, async () => {
        const token = await startCustomer(door);
        return { token, stream: await openStream(door, product.url, token) };
      }),
    );
    const askAll = (each: number) =>
      Promise.all(
        customers.map(async ({ token, stream }, customer) => {
          for (let count = 0; count < each; count += 1) {
            const answered = stream.next('"role":"agent","body"');
            await door.post(
              "/api/conversation/messages",
              { ...newMessage(), body: questionOf(customer, count) },
              token,
            );
            await answered;
          }
        }),
      );
    await askAll(WARM_UP);
    const before = product.cpuMs();
    await askAll(EACH);
    return (product.cpuMs() - before) / (EACH * CUSTOMERS);
  } finally {
    await door.close();
    await product.stop();
  }
}
