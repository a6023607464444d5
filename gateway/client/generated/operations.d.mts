// Generated from gateway/client by `npm run generate`.
/** A result of `geocode` and `reverse-geocode`. A field is null if it is unknown. */
export interface Address {
    /** Degrees, WGS 84. */
    readonly latitude: number | null;
    /** Degrees, WGS 84. */
    readonly longitude: number | null;
    readonly formattedAddress: string | null;
    readonly addressLine: string | null;
    readonly streetNumber: string | null;
    readonly streetName: string | null;
    readonly locality: string | null;
    readonly postalCode: string | null;
    readonly adminDistrict: string | null;
    /** ISO 3166-2, without the country. */
    readonly adminDistrictCode: string | null;
    readonly adminDistrict2: string | null;
    readonly country: string | null;
    /** ISO 3166-1 alpha-2. */
    readonly countryCode: string | null;
    readonly type: string | null;
    readonly confidence: string | null;
    readonly matchCodes: readonly string[];
    /** IANA name. */
    readonly timeZone: string | null;
    /** Such as `+02:00`, at `utcOffsetAt`. */
    readonly utcOffset: string | null;
}
/** Inputs and results, as the API page describes them. */
export interface Operations {
    geocode: {
        /** `language` is a BCP 47 tag, `limit` is 1 to 5. Both bias fields are sent, or neither. */
        input: {
            readonly query: string;
            readonly language?: string;
            readonly limit?: number;
            readonly biasLatitude?: number;
            readonly biasLongitude?: number;
        };
        result: {
            readonly query: string;
            /** ISO 8601, UTC, in milliseconds. */
            readonly utcOffsetAt: string;
            readonly count: number;
            /** Best first. */
            readonly results: readonly Address[];
        };
    };
    'reverse-geocode': {
        /** Degrees, WGS 84. `language` is a BCP 47 tag. */
        input: {
            readonly latitude: number;
            readonly longitude: number;
            readonly language?: string;
        };
        result: {
            readonly coordinates: {
                readonly latitude: number;
                readonly longitude: number;
            };
            /** ISO 8601, UTC, in milliseconds. */
            readonly utcOffsetAt: string;
            readonly count: number;
            /** Best first. */
            readonly results: readonly Address[];
        };
    };
    'html-to-markdown': {
        /** `sourceUrl` resolves relative links. It is never fetched. */
        input: {
            readonly html: string;
            readonly sourceUrl?: string;
        };
        result: {
            readonly title: string | null;
            readonly byline: string | null;
            readonly excerpt: string | null;
            readonly markdown: string;
            /** UTF-16 code units of `markdown`. */
            readonly markdownCharacters: number;
        };
    };
}
export type OperationName = keyof Operations;
export declare const PATHS: Readonly<Record<OperationName, string>>;
