import { accountMails } from './account';
import { layOut } from './layout';
import { notificationMails } from './notifications';
import { publicMails } from './public';
import { teamMails } from './team';
import type { Content, MailTemplate, MailTemplates, RenderedMail, Site } from './types';

export { mailAddress } from './plain';
export type { Mail, MailTemplate, MailTemplates, Origin, RenderedMail, Site } from './types';

const templates: { [T in MailTemplate]: (data: MailTemplates[T], site: Site) => Content } = {
  ...accountMails,
  ...teamMails,
  ...notificationMails,
  ...publicMails,
};

/** Renders one email. Every value of `data` is untrusted text. */
export function renderMail<T extends MailTemplate>(
  template: T,
  data: MailTemplates[T],
  site: Site,
): RenderedMail {
  return layOut(templates[template](data, site), site);
}
