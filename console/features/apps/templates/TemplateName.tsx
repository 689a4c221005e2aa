import type { AppTemplateOrigin } from '../../../../generated/api/types.gen';
import { templatePath } from '../../../lib/public/site';
import { isPageHidden } from '../../../ui/brand/installation';
import { TextLink } from '../../../ui/link';

/** “PostgreSQL 1.0.0”, with a link to the template's page if it has one. */
export function TemplateName({ template }: { template: AppTemplateOrigin }) {
  const { name, version, source, id, is_offered } = template;
  const text = `${name} ${version}`;
  if (source === 'team' || !is_offered || isPageHidden(templatePath(id))) return <>{text}</>;
  return <TextLink href={templatePath(id)}>{text}</TextLink>;
}
