import type { Page } from "@playwright/test";

/** Is in the photo's Exif, where a camera writes the location. */
export const SECRET_PLACE = "SecretPlace-59.3293N";

const le16 = (value: number) => [value & 0xff, value >> 8];
const le32 = (value: number) => [...le16(value & 0xffff), ...le16(value >>> 16)];

/** A JPEG of 40 by 30 created by a browser, with the Exif of a camera that knew its location. */
export async function photoWithPlace(page: Page): Promise<Buffer> {
  const made = await page.evaluate(() => {
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [40, 30];
    const pen = canvas.getContext("2d");
    pen?.fillRect(5, 5, 20, 20);
    return canvas.toDataURL("image/jpeg");
  });
  const jpeg = Buffer.from(made.slice(made.indexOf(",") + 1), "base64");
  const place = Buffer.from(`${SECRET_PLACE}\0`);
  // One directory that points to the GPS directory, which has one entry: GPSMapDatum, 18 and 26 bytes further on.
  const exif = Buffer.concat([
    Buffer.from("Exif\0\0II*\0", "latin1"),
    Buffer.from([...le32(8), ...le16(1), ...le16(0x8825), ...le16(4), ...le32(1), ...le32(26), ...le32(0)]),
    Buffer.from([...le16(1), ...le16(0x12), ...le16(2), ...le32(place.length), ...le32(44), ...le32(0)]),
    place,
  ]);
  const segment = Buffer.from([0xff, 0xe1, (exif.length + 2) >> 8, (exif.length + 2) & 0xff]);
  return Buffer.concat([jpeg.subarray(0, 2), segment, exif, jpeg.subarray(2)]);
}
