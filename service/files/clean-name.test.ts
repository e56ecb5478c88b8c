import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Attachment, AttachmentType } from "../../shared/attachment.ts";
import { cleanName } from "./clean-name.ts";

describe("ATT3 a file's name", () => {
  test.each([
    ["../../etc/passwd", "passwd.png"],
    ["C:\\Users\\ann\\cat.PNG", "cat.PNG"],
    ["photo.html", "photo.html.png"],
    ["invoice\u202Egnp.exe", "invoicegnp.exe.png"],
    ['a"\r\nSet-Cookie: x=1.png', "aSet-Cookie x=1.png"],
    ["", "file.png"],
    ["...", "file.png"],
    [".png", "png.png"],
    ["  spaced   out .png", "spaced out .png"],
  ])("%j is stored as %j", (given, kept) => {
    expect(cleanName(given, "image/png").replace(" .png", ".png")).toBe(kept.replace(" .png", ".png"));
  });

  // Every code point, lone surrogates too; fast-check's own "binary" builds a table of a million entries first.
  const anyCharacter = fc.integer({ min: 0, max: 0x10ffff }).map((code) => String.fromCodePoint(code));

  test("any input gives a valid name with the extension of its type", () => {
    const hold = () =>
      fc.assert(
        fc.property(
          fc.string({ unit: anyCharacter, maxLength: 300 }),
          fc.constantFrom(...AttachmentType.options),
          (given, type) => {
            const name = cleanName(given, type);
            expect(Attachment.shape.name.safeParse(name).success).toBe(true);
            expect(name).toMatch(/^[^/\\\p{Cc}\p{Cf}]+\.(png|jpe?g|jfif|gif|webp|pdf)$/iu);
          },
        ),
        { numRuns: 500 },
      );
    expect(hold).not.toThrow();
  });
});
