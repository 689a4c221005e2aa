interface ProblemBody {
  message?: string;
  /** One per field; if there is only one, it has the same text as `message`. */
  details?: unknown;
}

/** The server's message for a limit on all requests from one network. */
const LIMITED = 'Too many requests';

/** Returns "in a minute" or "in 42 minutes" from the `Retry-After` header, in seconds; null without it. */
function waitText(retryAfter: string | null): string {
  const seconds = Number(retryAfter ?? 0);
  return seconds > 90 ? `in ${Math.ceil(seconds / 60)} minutes` : 'in a minute';
}

/**
 * Returns why the server refused a small form, for the visitor: without the API's field name.
 * @param retryAfter the Retry-After header
 */
export function reasonOf(status: number, body: unknown, retryAfter: string | null = null): string {
  const { message, details } = (body ?? {}) as ProblemBody;
  if (status === 429 && (message === undefined || message === LIMITED))
    return `Too many requests from your network. Try again ${waitText(retryAfter)}.`;
  if (message === undefined) return `The server answered ${status}.`;
  const [issue, ...more] = Array.isArray(details) ? (details as { field?: unknown }[]) : [];
  if (typeof issue?.field !== 'string' || more.length > 0) return message;
  const prefix = `${issue.field.slice(issue.field.lastIndexOf('.') + 1)}: `;
  return message.startsWith(prefix) ? message.slice(prefix.length) : message;
}
