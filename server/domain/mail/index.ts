import { accountMails } from './account';
import { layOut } from './layout';
import { notificationMails } from './notifications';
import { teamMails } from './team';
import type { Content, MailTemplate, MailTemplates, RenderedMail, Site } from './types';

export { mailAddress } from './plain';
export type { Mail, MailTemplate, MailTemplates, Origin, RenderedMail, Site, TeamRole } from './types';

const templates: { [T in MailTemplate]: (data: MailTemplates[T], site: Site) => Content } = {
  ...accountMails,
  ...teamMails,
  ...notificationMails,
};

/** Writes one mail. Every value of `data` may be anybody's text. */
export function renderMail<T extends MailTemplate>(
  template: T,
  data: MailTemplates[T],
  site: Site,
): RenderedMail {
  return layOut(templates[template](data, site), site);
}
