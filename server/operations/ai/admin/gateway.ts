import { invalid } from '../../core/invalid';

export const GATEWAY_NAMES = {
  ai_gateways_name_key: { field: 'name', message: 'An AI gateway with this name already exists.' },
};

/** @throws VALIDATION_FAILED for a URL that paths can't be appended to */
export function checkedAddress(url: string): string {
  const parsed = URL.canParse(url) ? new URL(url) : null;
  if (!parsed) throw invalid('url', 'Enter a URL, such as https://ai.example.com.');
  if (parsed.username !== '' || parsed.password !== '')
    throw invalid('url', 'Enter the URL without a user name or password.');
  if (parsed.search !== '' || parsed.hash !== '') throw invalid('url', 'Enter the URL without ? and #.');
  return parsed.href.replace(/\/+$/, '').replace(/\/v1$/, '');
}
