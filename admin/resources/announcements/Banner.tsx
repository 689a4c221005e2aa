import { AnnouncementText } from '../../../console/ui/feedback/AnnouncementText';
import { Notice } from '../../../console/ui/feedback/Notice';
import type { Tone } from '../../../console/ui/feedback/status';
import { TextLink } from '../../../console/ui/link';
import { ownValue } from '../../../console/lib/ownValue';
import { isSafeHref } from '../../../console/lib/announcementText';

const TONES: Readonly<Record<string, Tone>> = { warning: 'attention', critical: 'error' };
const textOf = (value: unknown) => (typeof value === 'string' ? value : '');

/** The banner above every page, from a record's values or an unfinished form. */
export function Banner({ announcement }: { announcement: Readonly<Record<string, unknown>> }) {
  const { title, text, severity, link } = announcement;
  const href = textOf(link);
  return (
    <Notice
      tone={ownValue(TONES, textOf(severity)) ?? 'progress'}
      title={textOf(title) === '' ? 'Title' : textOf(title)}
      {...(isSafeHref(href) ? { action: <TextLink href={href}>More</TextLink> } : {})}
    >
      <AnnouncementText text={textOf(text) === '' ? 'Text' : textOf(text)} />
    </Notice>
  );
}
