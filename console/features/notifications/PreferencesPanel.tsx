import styled from '@emotion/styled';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { updateNotificationPreferencesMutation } from '../../../generated/api/@tanstack/react-query.gen';
import type {
  NotificationKind,
  NotificationPreference,
  NotificationSettings,
  TeamNotificationPreferences,
} from '../../../generated/api/types.gen';
import { problemOf } from '../../api/problem';
import { ErrorNotice } from '../../ui/feedback/ErrorNotice';
import { Panel } from '../../ui/layout/Panel';
import { color, focusRing, radius, space, type } from '../../ui/theme';
import { kindTexts } from './texts';

const Table = styled('table')({ width: '100%', borderCollapse: 'collapse', tableLayout: 'fixed' });
const Head = styled('th')({
  ...type.caption,
  color: color.muted,
  fontWeight: 550,
  textAlign: 'left',
  padding: `${space(1)} 0`,
  borderBottom: `1px solid ${color.line}`,
  '&[data-box]': { width: 72, textAlign: 'center' },
});
const Kind = styled('th')({
  ...type.body,
  fontWeight: 400,
  textAlign: 'left',
  padding: `${space(2)} ${space(3)} ${space(2)} 0`,
  borderBottom: `1px solid ${color.line}`,
  '& > span': { ...type.caption, display: 'block', color: color.muted },
});
const Cell = styled('td')({ textAlign: 'center', borderBottom: `1px solid ${color.line}` });
const Box = styled('input')({
  width: 18,
  height: 18,
  margin: 0,
  verticalAlign: 'middle',
  accentColor: color.accent,
  borderRadius: radius.small,
  cursor: 'pointer',
  '&:focus-visible': focusRing,
});

interface Props {
  settings: TeamNotificationPreferences;
  onSaved: (settings: NotificationSettings) => void;
}

/** Events by channel. Each checkbox saves immediately. */
export function PreferencesPanel({ settings: { team, preferences }, onSaved }: Props) {
  const [chosen, setChosen] = useState<Partial<Record<NotificationKind, NotificationPreference>>>({});
  const save = useMutation({
    ...updateNotificationPreferencesMutation(),
    // Saved one at a time, so that the last click wins.
    scope: { id: `notification-preferences-${team.id}` },
    onSuccess: onSaved,
    onError: () => setChosen({}),
  });
  const problem = problemOf(save.error, 'Couldn’t save the setting');
  const set = (preference: NotificationPreference) => {
    setChosen((before) => ({ ...before, [preference.kind]: preference }));
    save.mutate({ path: { slug: team.slug ?? '' }, body: { preferences: [preference] } });
  };
  return (
    <Panel title={team.name}>
      {problem && <ErrorNotice problem={problem} />}
      <Table>
        <thead>
          <tr>
            <Head scope="col">Event</Head>
            <Head scope="col" data-box>
              Console
            </Head>
            <Head scope="col" data-box>
              By email
            </Head>
          </tr>
        </thead>
        <tbody>
          {preferences.map((kept) => {
            const preference = chosen[kept.kind] ?? kept;
            const { name, help } = kindTexts(kept.kind);
            const box = (way: 'console' | 'mail', words: string) => (
              <Cell>
                <Box
                  type="checkbox"
                  aria-label={`${name} ${words}`}
                  checked={preference[way]}
                  onChange={(event) => set({ ...preference, [way]: event.target.checked })}
                />
              </Cell>
            );
            return (
              <tr key={kept.kind}>
                <Kind scope="row">
                  {name}
                  <span>{help}</span>
                </Kind>
                {box('console', 'in the console')}
                {box('mail', 'by email')}
              </tr>
            );
          })}
        </tbody>
      </Table>
    </Panel>
  );
}
