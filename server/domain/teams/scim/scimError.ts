/** Keywords of RFC 7644, table 9, that this server sends. */
type ScimType =
  | 'invalidFilter'
  | 'invalidPath'
  | 'invalidSyntax'
  | 'invalidValue'
  | 'mutability'
  | 'uniqueness';

/** A refusal in SCIM terms. `detail` is shown to the administrators of the identity provider. */
export class ScimError extends Error {
  constructor(
    readonly status: number,
    readonly detail: string,
    readonly scimType: ScimType | null = null,
  ) {
    super(detail);
    this.name = 'ScimError';
  }
}

export const invalidValue = (detail: string) => new ScimError(400, detail, 'invalidValue');

const ERROR = 'urn:ietf:params:scim:api:messages:2.0:Error';

/** RFC 7644 §3.12: the status is text. */
export const scimErrorOut = ({ status, detail, scimType }: ScimError) => ({
  schemas: [ERROR],
  status: String(status),
  ...(scimType === null ? {} : { scimType }),
  detail,
});
