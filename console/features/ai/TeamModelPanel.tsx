import styled from '@emotion/styled';
import { useState } from 'react';
import type { AiCatalog, TeamAiModel } from '../../../generated/api/types.gen';
import { useMay } from '../../api/session';
import { aiHref } from '../../lib/ai/addresses';
import { readsText, writesText } from '../../lib/ai/modalities';
import { ActionButton } from '../../ui/controls/ActionButton';
import { Button, LinkButton } from '../../ui/controls/Button';
import { KeyValue } from '../../ui/data/KeyValue';
import { Notice } from '../../ui/feedback/Notice';
import { ToneChip } from '../../ui/feedback/ToneChip';
import { Panel } from '../../ui/layout/Panel';
import { color, space, type } from '../../ui/theme';
import { catalogFacts } from './modelFacts';
import { takesChats } from './takesChats';
import { ChangeTeamModelDialog, WithdrawTeamModelDialog } from './TeamModelDialogs';
import { count } from '../../lib/texts/count';

const Text = styled('p')({ ...type.body, color: color.muted, margin: `0 0 ${space(4)}`, maxWidth: '68ch' });
const Row = styled('div')({ display: 'flex', flexWrap: 'wrap', gap: space(2), marginTop: space(4) });

/** In one of the team's CVMs, behind a server that could read prompts. */
const PLACE = { is_built_in: false, is_in_tee: false };

interface Props {
  model: TeamAiModel;
  /** Undefined if it couldn't be loaded. */
  catalog: AiCatalog | undefined;
  teamSlug: string;
  /** The team in the address, if any. */
  team: string | undefined;
}

/** A model in one of the team's CVMs, which only the team's keys can use. */
export function TeamModelPanel({ model, catalog, teamSlug, team }: Props) {
  const may = useMay('ai.write', teamSlug);
  const [open, setOpen] = useState<'change' | 'withdraw' | null>(null);
  const close = () => setOpen(null);
  const { hardware, measured } = catalogFacts(catalog, model.model, PLACE);
  return (
    <Panel
      framed
      title={model.name}
      subtitle="Your team"
      actions={
        model.state === 'offered' &&
        takesChats(model) && (
          <LinkButton href={aiHref({ team, tab: 'playground', model: model.model })}>
            Try {model.name}
          </LinkButton>
        )
      }
    >
      {model.description !== '' && <Text>{model.description}</Text>}
      <StateNotice model={model} />
      <KeyValue
        facts={[
          { label: 'Model ID', value: <code>{model.model}</code>, wide: true },
          {
            label: 'State',
            value:
              model.state === 'offered' ? (
                <ToneChip quiet tone="ok" glyph="check">
                  Offered
                </ToneChip>
              ) : (
                'Not offered'
              ),
          },
          { label: 'Runs in', value: `${model.app_name}, one of the team’s apps` },
          ...hardware,
          { label: 'Context', value: `${count(model.context_length)} tokens` },
          { label: 'Reads', value: readsText(model) },
          { label: 'Writes', value: writesText(model) },
          { label: 'Price per token', value: 'None. The team pays for the CVM.' },
          {
            label: 'Endpoints',
            value: model.endpoints.map((one) => `/v1/${one.replace('.', '/')}`).join(', '),
            wide: true,
          },
          ...measured,
        ]}
      />
      {may.allowed && (
        <Row>
          <Button variant="outlined" onClick={() => setOpen('change')}>
            Change…
          </Button>
          <ActionButton
            variant="outlined"
            reason={
              model.state === 'disabled'
                ? 'An administrator of this server must enable or delete it.'
                : undefined
            }
            onClick={() => setOpen('withdraw')}
          >
            Withdraw…
          </ActionButton>
        </Row>
      )}
      {open === 'change' && <ChangeTeamModelDialog teamSlug={teamSlug} model={model} onClose={close} />}
      {open === 'withdraw' && <WithdrawTeamModelDialog teamSlug={teamSlug} model={model} onClose={close} />}
    </Panel>
  );
}

/** Why a model can't be used right now. */
function StateNotice({ model: { state, health, last_error } }: { model: TeamAiModel }) {
  if (state === 'no_cvm')
    return (
      <Notice tone="attention" title="Its CVM was deleted.">
        Restore the CVM from the recycle bin to offer the model again, or withdraw the model.
      </Notice>
    );
  if (state === 'disabled')
    return (
      <Notice tone="attention" title="Disabled by an administrator.">
        AI keys can’t use the model until an administrator of this server enables it.
      </Notice>
    );
  if (health === 'failing')
    return (
      <Notice tone="attention" title="The model server doesn’t respond as expected.">
        {last_error ?? 'Requests fail until it does.'}
      </Notice>
    );
  return null;
}
