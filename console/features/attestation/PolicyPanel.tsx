import styled from '@emotion/styled';
import type { CvmEvidence } from '../../../generated/api/types.gen';
import type { Choices } from '../../lib/attestation/expected';
import { TCB_STATUSES, type Policy, type TcbStatus } from '../../lib/attestation/types';
import { CopyId } from '../../ui/data/CopyId';
import { KeyValue, type Fact } from '../../ui/data/KeyValue';
import { CheckboxInput, SwitchInput } from '../../ui/forms/SwitchInput';
import { Panel } from '../../ui/layout/Panel';
import { color, radius, space, type } from '../../ui/theme';

const Columns = styled('div')({
  display: 'grid',
  gridTemplateColumns: 'repeat(auto-fit, minmax(min(100%, 320px), 1fr))',
  gap: space(6),
});
const Choice = styled('fieldset')({
  display: 'grid',
  gap: space(3),
  alignContent: 'start',
  margin: 0,
  padding: space(4),
  minWidth: 0,
  border: `1px solid ${color.line}`,
  borderRadius: radius.panel,
});
const Legend = styled('legend')({ ...type.caption, color: color.muted, padding: `0 ${space(1)}` });
const Images = styled('ul')({ ...type.small, display: 'grid', gap: space(1) });

/** UpToDate always passes and Revoked never does; the user decides on the statuses between. */
const OPTIONAL = TCB_STATUSES.filter((status) => status !== 'UpToDate' && status !== 'Revoked');
const MEANS: Partial<Record<TcbStatus, string>> = {
  SWHardeningNeeded: 'Up to date, but software mitigations are needed for a known flaw.',
  ConfigurationNeeded: 'Up to date, but a platform setting should be changed.',
  ConfigurationAndSWHardeningNeeded: 'Both of the above.',
  OutOfDate: 'Microcode or firmware has known flaws.',
  OutOfDateConfigurationNeeded: 'Out of date, and a setting should be changed.',
};

interface Props {
  answer: CvmEvidence;
  policy: Policy;
  choices: Choices;
  onChoose: (choices: Choices) => void;
}

/** The reference values, their sources, and the user's exceptions for this view. */
export function PolicyPanel({ answer, policy, choices, onChoose }: Props) {
  const { expected } = answer;
  const set = (status: TcbStatus, on: boolean) =>
    onChoose({
      ...choices,
      accepted_tcb: OPTIONAL.filter((one) => (one === status ? on : choices.accepted_tcb.includes(one))),
    });
  const known = expected.os_images.filter(({ is_dev }) => choices.dev_images || !is_dev);
  return (
    <Panel
      title="Reference values"
      subtitle="Intel’s root certificate is built into this page. The other values are this console’s records. To use your own, run the verifier command below."
    >
      <Columns>
        <KeyValue facts={facts(answer, policy)} />
        <Choice>
          <Legend>TCB statuses accepted as exceptions, in this view only</Legend>
          {OPTIONAL.map((status) => (
            <CheckboxInput
              key={status}
              label={status}
              help={MEANS[status]}
              checked={choices.accepted_tcb.includes(status)}
              onChange={(event) => set(status, event.target.checked)}
            />
          ))}
          <SwitchInput
            label="Accept development OS images"
            help="They allow SSH login to the guest."
            checked={choices.dev_images}
            onChange={(event) => onChoose({ ...choices, dev_images: event.target.checked })}
          />
        </Choice>
        <div>
          <Legend as="p">Known OS images: {known.length}</Legend>
          <Images aria-label="Known OS images">
            {known.slice(0, 8).map(({ name, os_image_hash, is_dev }) => (
              <li key={os_image_hash}>
                {name}
                {is_dev ? ' (development)' : ''}
                {name === expected.os_image ? ', used at start' : ''}{' '}
                <CopyId id={os_image_hash} what={`hash of ${name}`} />
              </li>
            ))}
          </Images>
          {known.length > 8 && <Legend as="p">and {known.length - 8} more</Legend>}
        </div>
      </Columns>
    </Panel>
  );
}

function facts({ expected, kms, collateral_source }: CvmEvidence, policy: Policy): Fact[] {
  const id = (value: string | null | undefined, what: string) =>
    value ? <CopyId id={value} what={what} /> : 'none on record';
  return [
    { label: 'App ID', value: id(expected.app_id, 'app ID') },
    { label: 'Compose hash of the live revision', value: id(expected.compose_hash, 'compose hash') },
    { label: 'Instance ID', value: id(expected.instance_id, 'instance ID') },
    {
      label: kms ? `Root key of KMS “${kms.slug}”` : 'KMS root key',
      value: id(expected.key_provider_ids[0], 'root key'),
    },
    { label: 'Device ID', value: id(policy.device_ids?.[0], 'device ID') },
    { label: 'Report data', value: id(policy.report_data, 'hash of the certificate’s key') },
    { label: 'Intel collateral from', value: collateral_source ?? 'no service configured' },
  ];
}
