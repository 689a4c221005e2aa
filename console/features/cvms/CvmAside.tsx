import styled from '@emotion/styled';
import { useQuery } from '@tanstack/react-query';
import { getAppTemplateOptions } from '../../../generated/api/@tanstack/react-query.gen';
import type { AppTemplateOrigin, CvmDetail } from '../../../generated/api/types.gen';
import { inTeam } from '../../api/client';
import { useRunway } from '../../api/runway';
import { adminPath, appPath, cvmLink, cvmPath, dashboardCvmPath, type CvmAddress } from '../../lib/paths';
import { formatMicros } from '../../lib/billing/money';
import { currentMicros, stoppedMicros } from '../../lib/billing/spend';
import { formatGb, formatMb } from '../../lib/cvms/sizes';
import { TEE_NAMES } from '../../lib/hosts/tee';
import { Cost } from '../../ui/data/Cost';
import { RelativeTime } from '../../ui/data/RelativeTime';
import { AsidePanel, Facts, type AsideFact } from '../../ui/layout/AsidePanel';
import { TextLink } from '../../ui/link';
import { space, type } from '../../ui/theme';
import { useMatchedCvmAddress } from './address';
import { cvmOptions } from './queries';

const List = styled('ul')({ ...type.small, display: 'grid', gap: space(2) });

/** A CVM's identifiers, placement, size and cost. */
export function CvmAside() {
  const address = useMatchedCvmAddress();
  const { teamSlug = '', vmUuid = '' } = address ?? {};
  const { data: cvm } = useQuery({ ...cvmOptions(teamSlug, vmUuid), enabled: vmUuid !== '' });
  const app_id = address?.by === 'admin' ? null : (cvm?.app_id ?? null);
  const { data: from } = useQuery({
    ...getAppTemplateOptions({ ...inTeam(teamSlug), path: { app_id: app_id ?? '' } }),
    enabled: app_id !== null,
    staleTime: 30_000,
  });
  const lasts = useRunway(teamSlug, { shown: cvm ? currentMicros(cvm) : 0 });
  if (!cvm || !address) return null;
  return (
    <AsidePanel
      sections={[
        { title: 'CVM', content: <Facts facts={identity(cvm, address)} /> },
        { title: 'Placement and size', content: <Facts facts={place(cvm, lasts)} /> },
        { title: 'Measured', content: <Facts facts={measured(cvm, from?.template ?? null)} /> },
        { title: 'Links', content: <Links cvm={cvm} address={address} /> },
      ]}
    />
  );
}

/** Its other pages and common links. */
function Links({ cvm, address }: { cvm: CvmDetail; address: CvmAddress }) {
  const { teamSlug, vmUuid } = address;
  if (address.by === 'admin') return <StaffLinks cvm={cvm} vmUuid={vmUuid} />;
  return (
    <List>
      <li>
        <TextLink href={cvmLink(address, 'logs')}>Logs</TextLink>
      </li>
      {cvm.app_id !== null && (
        <li>
          <TextLink href={appPath(teamSlug, cvm.app_id, 'cvms')}>Other CVMs of the app</TextLink>
        </li>
      )}
      {address.by === 'app' && (
        <li>
          <TextLink href={cvmPath(teamSlug, vmUuid)}>View in its team</TextLink>
        </li>
      )}
      <li>
        <TextLink href={dashboardCvmPath(cvm.name)}>View by name</TextLink>
      </li>
    </List>
  );
}

/** The same links in the admin area. */
function StaffLinks({ cvm, vmUuid }: { cvm: CvmDetail; vmUuid: string }) {
  const filter = (value: Record<string, string>) => `?filter=${encodeURIComponent(JSON.stringify(value))}`;
  const { app_id } = cvm;
  return (
    <List>
      {app_id !== null && (
        <li>
          <TextLink href={adminPath('apps', app_id)}>App {cvm.app_name}</TextLink>
        </li>
      )}
      {app_id !== null && (
        <li>
          <TextLink href={adminPath('cvms') + filter({ app_id })}>Other CVMs of the app</TextLink>
        </li>
      )}
      <li>
        <TextLink href={adminPath('instance-events') + filter({ cvm_id: vmUuid })}>All events</TextLink>
      </li>
    </List>
  );
}

export const formatSize = ({ vcpu, memory_in_gb, disk_in_gb }: CvmDetail['resource']) =>
  `${vcpu ?? '?'} vCPU · ${memory_in_gb === null ? '?' : formatMb(memory_in_gb * 1024)} · ${disk_in_gb === null ? '?' : formatGb(disk_in_gb)} disk`;

function identity(cvm: CvmDetail, { by, teamSlug }: CvmAddress): AsideFact[] {
  const app = (id: string) => (by === 'admin' ? adminPath('apps', id) : appPath(teamSlug, id));
  return [
    ...(by === 'admin' ? [{ label: 'Team', copy: teamSlug }] : []),
    ...(cvm.app_id === null
      ? []
      : [
          {
            label: 'App',
            value: <TextLink href={app(cvm.app_id)}>{cvm.app_name}</TextLink>,
          },
          { label: 'App ID', copy: cvm.app_id },
        ]),
    ...(cvm.vm_uuid === null ? [] : [{ label: 'CVM ID', copy: cvm.vm_uuid }]),
    ...(cvm.instance_id === null ? [] : [{ label: 'Instance ID', copy: cvm.instance_id }]),
    { label: 'Created', value: <RelativeTime at={cvm.created_at} /> },
    { label: 'Created by', value: cvm.creator?.username ?? '—' },
  ];
}

function place(cvm: CvmDetail, lasts: string | undefined): AsideFact[] {
  const local = cvm.trust === 'simulated';
  return [
    {
      label: 'Host',
      value: local ? `${cvm.teepod?.name ?? '—'} (local teepod, no hardware TEE)` : cvm.teepod?.name,
    },
    ...(cvm.teepod?.tee ? [{ label: 'TEE', value: TEE_NAMES[cvm.teepod.tee] }] : []),
    { label: 'Region', value: cvm.teepod?.region_identifier },
    { label: 'Size', value: `${cvm.instance_type ?? 'custom'}: ${formatSize(cvm.resource)}` },
    {
      label: 'Cost while running',
      value: <Cost usd={cvm.hourly_rate.total} per="hour" />,
    },
    { label: 'Cost while stopped', value: <Cost usd={formatMicros(stoppedMicros(cvm))} per="hour" /> },
    ...(cvm.hourly_rate.after_order === null
      ? []
      : [
          { label: 'Reservation ends', value: <RelativeTime at={cvm.hourly_rate.after_order.at} /> },
          {
            label: 'Running cost after that',
            value: <Cost usd={cvm.hourly_rate.after_order.total} per="hour" />,
          },
        ]),
    ...(lasts === undefined ? [] : [{ label: 'Balance lasts', value: lasts }]),
  ];
}

function measured(cvm: CvmDetail, template: AppTemplateOrigin | null): AsideFact[] {
  return [
    ...(cvm.compose_hash === null ? [] : [{ label: 'Compose hash', copy: cvm.compose_hash }]),
    { label: 'Revision', value: cvm.revision_number ?? '—' },
    ...(template ? [{ label: 'Template', value: `${template.name} ${template.version}` }] : []),
    { label: 'OS image', value: cvm.os?.name ?? '—' },
    ...(cvm.os?.os_image_hash ? [{ label: 'OS image hash', copy: cvm.os.os_image_hash }] : []),
    { label: 'KMS', value: cvm.kms?.slug ?? cvm.kms_type ?? '—' },
    ...(cvm.kms?.k256_pubkey ? [{ label: 'KMS root key', copy: cvm.kms.k256_pubkey }] : []),
  ];
}
