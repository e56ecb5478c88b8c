import { createContext, type Provider } from "preact";
import { useContext } from "preact/hooks";

/** A context without a default: `use` throws outside of its provider. */
export function createRequiredContext<T>(): { readonly Provider: Provider<T>; readonly use: () => T } {
  const context = createContext<T | undefined>(undefined);
  return {
    Provider: context.Provider as Provider<T>,
    use() {
      const value = useContext(context);
      if (value === undefined) throw new Error("This component is outside of its context.");
      return value;
    },
  };
}
