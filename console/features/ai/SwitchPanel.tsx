import styled from '@emotion/styled';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { updateWorkspace } from '../../../generated/api/sdk.gen';
import { problemOf } from '../../api/problem';
import { useMay } from '../../api/session';
import { useStale } from '../../api/useStale';
import { AI_API_OFF } from '../../lib/ai/apiOff';
import { ActionButton } from '../../ui/controls/ActionButton';
import { ConfirmDialog } from '../../ui/feedback/ConfirmDialog';
import { ErrorNotice } from '../../ui/feedback/ErrorNotice';
import { Notice } from '../../ui/feedback/Notice';
import { useToast } from '../../ui/feedback/toasts';
import { SwitchInput } from '../../ui/forms/SwitchInput';
import { Panel } from '../../ui/layout/Panel';
import { space } from '../../ui/theme';

const Stack = styled('div')({ display: 'grid', gap: space(3), marginBottom: space(5) });

function useSwitch(teamSlug: string, onDone: () => void) {
  const stale = useStale();
  const toast = useToast();
  return useMutation({
    mutationFn: (isOn: boolean) =>
      updateWorkspace({
        path: { slug: teamSlug },
        body: { confidential_models_enabled: isOn },
        throwOnError: true,
      }),
    onSuccess: async (_, isOn) => {
      await stale('getAiGateway', 'getWorkspace');
      toast({ tone: 'ok', title: isOn ? 'The AI API is on' : 'The AI API is off' });
      onDone();
    },
  });
}

interface Props {
  teamSlug: string;
}

/** Turns the AI API off for the whole team, and on again. */
export function SwitchPanel({ teamSlug, isOn }: Props & { isOn: boolean }) {
  const may = useMay('team.settings', teamSlug);
  const [asked, setAsked] = useState(false);
  const save = useSwitch(teamSlug, () => setAsked(false));
  const problem = problemOf(save.error, 'Couldn’t change the setting');
  return (
    <Panel title="Access">
      {problem && !asked && <ErrorNotice problem={problem} />}
      <SwitchInput
        label="AI API"
        help={
          may.allowed
            ? 'While it is off, all of the team’s AI keys are refused. Keys and models are kept.'
            : may.reason
        }
        checked={isOn}
        disabled={!may.allowed}
        pending={save.isPending}
        onChange={() => (isOn ? setAsked(true) : save.mutate(true))}
      />
      {asked && (
        <ConfirmDialog
          open
          danger
          title="Turn the AI API off?"
          effects={[
            'Programs and agents that use the team’s AI keys are refused, and answers in progress at this server’s gateway end within seconds.',
            'Keys, models and usage are kept. Turning the API on again restores access.',
          ]}
          confirmLabel="Turn off"
          pending={save.isPending}
          problem={problem}
          onConfirm={() => save.mutate(false)}
          onClose={() => setAsked(false)}
        />
      )}
    </Panel>
  );
}

/** Says that the API is off, with a way to turn it on. */
export function TurnedOff({ teamSlug }: Props) {
  const may = useMay('team.settings', teamSlug);
  const save = useSwitch(teamSlug, () => undefined);
  const problem = problemOf(save.error, 'Couldn’t change the setting');
  return (
    <Stack>
      {problem && <ErrorNotice problem={problem} />}
      <Notice
        tone="attention"
        title={AI_API_OFF}
        action={
          <ActionButton
            size="small"
            reason={may.reason}
            pending={save.isPending}
            onClick={() => save.mutate(true)}
          >
            Turn on
          </ActionButton>
        }
      >
        All of its AI keys are refused.
      </Notice>
    </Stack>
  );
}
