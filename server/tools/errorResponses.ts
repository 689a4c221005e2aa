import type { ApiDocument, Operation, Parameter } from './emitOperations';

/** Response component for an error status. */
export const ERROR_RESPONSES: Readonly<Record<string, string>> = {
  400: 'BadRequest',
  401: 'Unauthorized',
  402: 'PaymentRequired',
  403: 'Forbidden',
  404: 'NotFound',
  409: 'Conflict',
  412: 'PreconditionFailed',
  413: 'PayloadTooLarge',
  415: 'UnsupportedMediaType',
  422: 'ValidationFailed',
  428: 'PreconditionRequired',
  429: 'TooManyRequests',
  465: 'HashRegistrationRequired',
  466: 'HashInvalid',
  467: 'TransactionInvalid',
  468: 'HashNotAllowed',
  500: 'InternalError',
  502: 'BadGateway',
  503: 'ServiceUnavailable',
};

/**
 * Returns the error statuses implied by an operation's permission, parameters, body and `x-errors`. The table
 * "Error responses" in openapi/README.md documents the same rule.
 * @throws if a code in `x-errors` is unknown or its status has no response component
 */
export function genericStatuses(document: ApiDocument, operation: Operation): Set<string> {
  const { operationId: id } = operation;
  // 400: an unknown X-Phala-Version.
  const statuses = new Set(['400', '429', '500', '503']);
  const add = (...more: string[]) => more.forEach((status) => statuses.add(status));
  const references = (operation.parameters ?? []).flatMap((one) => ('$ref' in one ? [one.$ref] : []));
  const refersTo = (name: string) => references.includes(`#/components/parameters/${name}`);
  const inAddress = (where: Parameter['in']) =>
    (operation.parameters ?? []).some((one) => parameterOf(document, one, id).in === where);

  if (operation['x-permission'] !== 'public') add('401', '403');
  if (operation.requestBody) add('413', '415', '422');
  if (inAddress('query')) add('422');
  if (inAddress('path')) add('404', '422');
  // The named team may not exist.
  if (refersTo('WorkspaceHeader')) add('404');
  if (refersTo('IfMatch')) add('412');
  for (const code of (operation['x-errors'] ?? []) as string[]) {
    const problem = document['x-problems'][code];
    if (!problem) throw new Error(`${id}: x-errors lists ${code}, which x-problems does not define`);
    if (!(problem.status in ERROR_RESPONSES))
      throw new Error(`${id}: ${code} has status ${problem.status}, which has no response component`);
    add(String(problem.status));
  }
  return statuses;
}

function parameterOf(document: ApiDocument, one: Parameter | { $ref: string }, id: string): Parameter {
  if (!('$ref' in one)) return one;
  const found = document.components.parameters?.[one.$ref.split('/').at(-1) ?? ''];
  if (!found) throw new Error(`${id}: ${one.$ref} does not exist`);
  return found as unknown as Parameter;
}
