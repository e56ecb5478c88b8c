import { generateKeyPairSync, randomUUID, sign } from "node:crypto";

/** A key with the self-signed certificate for 127.0.0.1 and localhost, both as PEM. */
export interface Certificate {
  readonly key: string;
  readonly cert: string;
}

/** One DER value: tag, length, content (X.690). */
function der(tag: number, ...content: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(content);
  if (body.length < 128) return Buffer.concat([Buffer.from([tag, body.length]), body]);
  const length = Buffer.from(
    body.length < 256 ? [0x81, body.length] : [0x82, body.length >> 8, body.length & 0xff],
  );
  return Buffer.concat([Buffer.from([tag]), length, body]);
}

const SEQUENCE = 0x30;
const SET = 0x31;
const oid = (hex: string) => der(0x06, Buffer.from(hex, "hex"));
const ECDSA_WITH_SHA256 = der(SEQUENCE, oid("2a8648ce3d040302"));
const COMMON_NAME = oid("550403");
const SUBJECT_ALT_NAME = oid("551d11");

function name(commonName: string): Buffer {
  const attribute = der(SEQUENCE, COMMON_NAME, der(0x0c, Buffer.from(commonName)));
  return der(SEQUENCE, der(SET, attribute));
}

/** UTCTime up to 2049, GeneralizedTime after it (RFC 5280, 4.1.2.5). */
function time(year: number): Buffer {
  return year < 2050
    ? der(0x17, Buffer.from(`${year % 100}0101000000Z`))
    : der(0x18, Buffer.from(`${year}0101000000Z`));
}

/**
 * Creates a certificate at run time: a checked-in one would be a private key in the repository, and would expire. RFC
 * 5280, version 3, with the loopback names as subjectAltName.
 */
export function makeCertificate(title: string): Certificate {
  // A store finds an issuer by its name, so two with the same name would be confused.
  const commonName = `${title} ${randomUUID()}`;
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const names = der(SEQUENCE, der(0x82, Buffer.from("localhost")), der(0x87, Buffer.from([127, 0, 0, 1])));
  const body = der(
    SEQUENCE,
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1])),
    ECDSA_WITH_SHA256,
    name(commonName),
    der(SEQUENCE, time(2020), time(2120)),
    name(commonName),
    publicKey.export({ type: "spki", format: "der" }),
    der(0xa3, der(SEQUENCE, der(SEQUENCE, SUBJECT_ALT_NAME, der(0x04, names)))),
  );
  const signature = sign("sha256", body, privateKey);
  const certificate = der(SEQUENCE, body, ECDSA_WITH_SHA256, der(0x03, Buffer.from([0]), signature));
  const lines = certificate.toString("base64").replace(/(.{64})(?!$)/g, "$1\n");
  return {
    key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
  };
}
