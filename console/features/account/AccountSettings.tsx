import { styled } from '@mui/material/styles';
import { lazy, Suspense, type ReactNode } from 'react';
import { RowsSkeleton } from '../../ui/feedback/Skeletons';
import { PageHeader } from '../../ui/layout/PageHeader';
import { SECTIONS, type Section } from './sections';

// Forms read best narrow; the tables of the other parts need the width.
const Page = styled('div')({ maxWidth: 920, '&[data-narrow]': { maxWidth: 680 } });

// One at a time is looked at; security brings QR codes and passkeys with it.
const parts = {
  profile: lazy(() => import('./ProfileSection').then((m) => ({ default: m.ProfileSection }))),
  security: lazy(() => import('./SecuritySection').then((m) => ({ default: m.SecuritySection }))),
  sessions: lazy(() => import('./SessionsSection').then((m) => ({ default: m.SessionsSection }))),
  'ssh-keys': lazy(() => import('./SshKeysSection').then((m) => ({ default: m.SshKeysSection }))),
  data: lazy(() => import('./DataSection').then((m) => ({ default: m.DataSection }))),
} satisfies Record<Exclude<Section, 'notifications'>, unknown>;

const subtitles: Record<Section, string> = {
  profile: 'Your name, your e-mail address and your password.',
  security: 'What is asked besides your password when you sign in.',
  sessions: 'Where you are signed in.',
  'ssh-keys': 'Keys you can put into CVMs that allow logging in.',
  notifications: 'What you are told of, how, and when not.',
  data: 'What is kept about you, and how to end it.',
};

/** What belongs to the person, whichever team they work in. */
export function AccountSettings({
  section = 'profile',
  notifications,
}: {
  section?: Section | undefined;
  /** The part that another feature brings. */
  notifications: ReactNode;
}) {
  const Part = section === 'notifications' ? null : parts[section];
  return (
    <Page
      data-narrow={section === 'profile' || section === 'notifications' || section === 'data' || undefined}
    >
      <PageHeader title={SECTIONS[section]} subtitle={subtitles[section]} />
      <Suspense fallback={<RowsSkeleton rows={4} />}>{Part ? <Part /> : notifications}</Suspense>
    </Page>
  );
}
