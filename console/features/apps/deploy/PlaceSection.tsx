import styled from '@emotion/styled';
import { useMemo, type ReactNode } from 'react';
import type { AvailableTeepod, AvailableTeepods } from '../../../../generated/api/types.gen';
import { TEE_NAMES } from '../../../lib/hosts/tee';
import { formatMb } from '../../../lib/cvms/sizes';
import { Notice } from '../../../ui/feedback/Notice';
import { SelectInput, type Choice } from '../../../ui/forms/SelectInput';
import { space } from '../../../ui/theme';
import type { FieldErrors } from './form';
import { counted } from '../../../lib/texts/count';

const Box = styled('div')({ display: 'grid', gap: space(4), minWidth: 0 });

interface Props {
  hosts: AvailableTeepods;
  value: { place: string; image: string };
  onChange: (change: { place?: string; image?: string }) => void;
  errors: FieldErrors;
  /** More location fields. */
  children?: ReactNode;
}

const free = (host: AvailableTeepod) =>
  `${host.remaining_vcpu} vCPU, ${formatMb(host.remaining_memory)}, ${counted(host.remaining_cvm_slots, ['CVM', 'CVMs'])} free`;

const named = (host: AvailableTeepod) =>
  host.local
    ? `${host.name} (local teepod, no hardware TEE)`
    : host.tee === null
      ? host.name
      : `${host.name} (${TEE_NAMES[host.tee]})`;

/** The region or host. Simulated hosts are labeled where they are chosen. */
export function PlaceSection({ hosts, value, onChange, errors, children }: Props) {
  const places = useMemo(() => placeChoices(hosts.nodes, value.place), [hosts, value.place]);
  const onlyLocal = hosts.nodes.length > 0 && hosts.nodes.every((host) => host.local);
  const chosen = hosts.nodes.find((host) => value.place === `teepod:${host.teepod_id}`);
  return (
    <Box>
      <SelectInput
        label="Region or host"
        choices={places}
        value={value.place}
        error={errors.place}
        help={
          hosts.nodes.length === 0
            ? 'No host is accepting new CVMs.'
            : '“Anywhere” picks a host that has room for the size.'
        }
        onChange={(event) => onChange({ place: event.target.value })}
      />
      {chosen?.tee === 'sev_snp' && (
        <Notice tone="attention" title="Not verified here.">
          This host has AMD SEV-SNP. The console verifies Intel TDX only, so its CVMs are never shown as
          verified.
        </Notice>
      )}
      {(onlyLocal || chosen?.local) && (
        <Notice tone="simulated" title="No hardware TEE.">
          The CVM will run on this server’s local teepod. Use it for testing only: the machine’s operator can
          read its contents. Its attestation is simulated and never shown as verified.
        </Notice>
      )}
      {children}
    </Box>
  );
}

/** The OS image, from the hosts at the chosen location. */
export function ImageField({ hosts, value, onChange, errors }: Props) {
  const images = useMemo(() => imageChoices(hosts.nodes, value), [hosts, value]);
  return (
    <SelectInput
      label="OS image"
      choices={images}
      value={value.image}
      error={errors.image}
      help="Measured with the Compose file. Development images allow SSH login."
      onChange={(event) => onChange({ image: event.target.value })}
    />
  );
}

function placeChoices(nodes: readonly AvailableTeepod[], current: string): Choice[] {
  const regions = [...new Set(nodes.flatMap(({ region_identifier }) => region_identifier ?? []))].sort();
  const choices: Choice[] = [
    { value: 'any', label: 'Anywhere' },
    ...regions.map((region) => ({
      value: `region:${region}`,
      label: `${region} · ${counted(nodes.filter((host) => host.region_identifier === region).length, ['host', 'hosts'])}`,
      group: 'Regions',
    })),
    ...nodes.map((host) => ({
      value: `teepod:${host.teepod_id}`,
      label: `${named(host)} · ${free(host)}`,
      group: 'Hosts',
      ...(host.remaining_cvm_slots < 1 ? { disabled: true } : {}),
    })),
  ];
  return choices.some(({ value }) => value === current)
    ? choices
    : [...choices, { value: current, label: 'No longer available', disabled: true }];
}

/** Returns the hosts at a location. */
export const hostsAt = (nodes: readonly AvailableTeepod[], place: string): AvailableTeepod[] =>
  nodes.filter(
    (host) =>
      place === 'any' ||
      place === `teepod:${host.teepod_id}` ||
      place === `region:${host.region_identifier ?? ''}`,
  );

function imageChoices(
  nodes: readonly AvailableTeepod[],
  { place, image }: { place: string; image: string },
): Choice[] {
  const where = hostsAt(nodes, place);
  const byName = new Map(where.flatMap((host) => host.images).map((one) => [one.name, one]));
  const choices: Choice[] = [
    { value: '', label: 'Newest' },
    ...[...byName.values()].map((one) => ({
      value: one.name,
      label: one.is_dev ? `${one.name} (development: not for secrets)` : one.name,
    })),
  ];
  return choices.some(({ value }) => value === image)
    ? choices
    : [...choices, { value: image, label: `${image} (not on the selected host)`, disabled: true }];
}
