import type { Site } from "./pages.ts";
import { type Product, startProduct } from "./product.ts";

/** The parts of a customer's site that the product needs. */
type Embedding = Pick<Site, "origin" | "close"> & { readonly embed: (widgetOrigin: string) => void };

/** A customer's site with the product as its chat: two origins, as everywhere. */
export interface Shop<S extends Embedding = Site> {
  readonly site: S;
  readonly product: Product;
  /** The origin of the widget and of the panel's frame. */
  readonly chat: string;
  readonly dispose: () => Promise<void>;
}

/** Starts the product for a running site; `env` adds to the product's environment or replaces parts. */
export async function openShop<S extends Embedding>(
  site: S,
  env: Readonly<Record<string, string>> = {},
): Promise<Shop<S>> {
  const product = await startProduct({ ["ALLOWED_ORIGINS"]: site.origin, ...env });
  const chat = `http://127.0.0.1:${product.port}`;
  site.embed(chat);
  return {
    site,
    product,
    chat,
    dispose: async () => {
      await product.dispose();
      await site.close();
    },
  };
}
