import { describe, expect, it } from 'vitest';
import type { VmmOptions } from './index';
import { driverTo, failure, host, pair, setUpTestHosts, spec } from './testHosts';

setUpTestHosts();

describe("parsing a host's responses", () => {
  const answer = async (status: number, body: string, limits?: VmmOptions['limits']) => {
    const { vmm, driver } = await pair({}, limits);
    for (const method of ['Version', 'CreateVm', 'StartVm', 'Status', 'GetInfo', 'RemoveVm'])
      vmm.on(`/prpc/${method}`, (_, response) => response.writeHead(status).end(body));
    return driver;
  };

  it('keeps the reason for a rejection as one bounded line', async () => {
    const chain =
      'Failed to create VM\n\nCaused by:\n    0: \u001b[31mInvalid\u001b[0m image name\n' + 'x'.repeat(5000);
    const error = await failure((await answer(400, JSON.stringify({ error: chain }))).createVm(spec));
    expect(error).toMatchObject({ kind: 'rejected', method: 'CreateVm', retryable: false, ambiguous: false });
    expect(error.host_text).toContain('Failed to create VM Caused by: 0: Invalid image name');
    expect(error.host_text!.length).toBeLessThan(2100);
  });

  it.each([
    'Failed to start VM: VM not found',
    'vm not found',
    'The instance 1234 not found',
    'Failed to stop VM: Failed to set started: failed to open file `/run/vm/x`: No such file or directory (os error 2)',
  ])('recognizes "%s" as an unknown VM', async (error) => {
    const driver = await answer(400, JSON.stringify({ error }));
    expect(await failure(driver.startVm('x'))).toMatchObject({ kind: 'not_found' });
    expect(await driver.getInfo('x')).toBeNull();
    await driver.removeVm('x');
  });

  it.each([
    [400, '{"error":"Service not found: StartVm"}', { kind: 'unsupported', retryable: false }],
    [401, '', { kind: 'unauthorized', retryable: false }],
    [404, '<html>', { kind: 'unsupported' }],
    [400, '<html>nginx</html>', { kind: 'bad_reply' }],
    [400, 'null', { kind: 'bad_reply' }],
    [302, '', { kind: 'bad_reply', ambiguous: false }],
    [500, '', { kind: 'bad_reply', retryable: true, ambiguous: true }],
    [503, '', { kind: 'unreachable', retryable: true, ambiguous: false }],
    [504, '', { kind: 'unreachable', retryable: true, ambiguous: true }],
    [200, '<html>', { kind: 'bad_reply', ambiguous: true }],
    [200, '{"id":""}', { kind: 'bad_reply', ambiguous: true }],
    [200, '{}', { kind: 'bad_reply', ambiguous: true }],
    [200, 'null', { kind: 'bad_reply', ambiguous: true }],
  ])('classifies %i %s', async (status, body, expected) => {
    expect(await failure((await answer(status, body)).createVm(spec))).toMatchObject(expected);
  });

  it("supplies defaults for an older host and ignores a newer host's fields", async () => {
    const vm = {
      id: 'v',
      status: 'hibernating',
      configuration: { vcpu: 2, gpus: null },
      app_url: null,
      new_field: 1,
    };
    const page = await (await answer(200, JSON.stringify({ vms: [vm], total: null }))).status();
    expect(page).toMatchObject({ total: 0, port_mapping_enabled: false });
    expect(page.vms[0]).toMatchObject({ status: 'unknown', app_url: null, events: [], boot_progress: '' });
    expect(page.vms[0]?.configuration).toMatchObject({ vcpu: 2, gpus: null, ports: [], encrypted_env: '' });
    expect(page.vms[0]).not.toHaveProperty('new_field');
  });

  it('accepts null and an empty body as an empty response', async () => {
    await (await answer(200, 'null')).startVm('x');
    await (await answer(200, '')).startVm('x');
  });

  it('names the invalid field of a reply', async () => {
    const error = await failure((await answer(200, '{"vms":[{"id":7}]}')).status());
    expect(error).toMatchObject({ kind: 'bad_reply', retryable: false });
    expect(error.message).toContain('vms.0.id');
  });

  it('stops reading a reply that is too large', async () => {
    const driver = await answer(200, JSON.stringify({ vms: [], x: 'y'.repeat(100_000) }), {
      reply_bytes: 50_000,
    });
    const error = await failure(driver.status());
    expect(error.kind).toBe('bad_reply');
    expect(error.message).toContain('50000 bytes');
  });

  it('never repeats a credential that a host echoes', async () => {
    const vmm = await host();
    vmm.on('/prpc/StartVm', (request, response) =>
      response.writeHead(400).end(JSON.stringify({ error: `bad header ${request.headers.authorization}` })),
    );
    const bearer = driverTo({ url: vmm.url, credential: { type: 'bearer', token: 'tok-123456' } });
    const basic = driverTo({
      url: vmm.url,
      credential: { type: 'basic', username: 'u', password: 'pw-123456' },
    });
    const errors = [await failure(bearer.startVm('x')), await failure(basic.startVm('x'))];
    expect(errors[0]!.host_text).toBe('bad header Bearer ***');
    const shown = errors.map((e) => `${e.message} ${e.host_text} ${e.stack} ${JSON.stringify(e)}`).join();
    expect(shown).not.toContain('tok-123456');
    expect(shown).not.toContain(Buffer.from('u:pw-123456').toString('base64'));
  });
});

describe('hosts of other versions', () => {
  it('rejects a field that an older host would silently ignore', async () => {
    const { vmm, driver } = await pair({ version: '0.5.8' });
    const networks = [{ mode: 'bridge' }];
    expect(await failure(driver.createVm({ ...spec, networks }))).toMatchObject({ kind: 'unsupported' });
    expect(vmm.requests.some((p) => p.includes('CreateVm'))).toBe(false);
    await driver.createVm({ ...spec, no_tee: true });
  });

  it('detects that UpdateVm is missing', async () => {
    const { vmm, driver } = await pair({ version: '0.5.6' });
    const id = await driver.createVm(spec);
    vmm.on('/prpc/UpdateVm', (_, response) =>
      response.writeHead(400).end('{"error":"Service not found: UpdateVm"}'),
    );
    const compose_file = '{"manifest_version":2,"name":"b","runner":"docker-compose"}';
    await driver.updateVm(id, { compose_file, vcpu: 4 });
    expect((await driver.getInfo(id))?.configuration).toMatchObject({ compose_file, vcpu: 4 });
    expect(await failure(driver.updateVm(id, { kms_urls: ['https://k'] }))).toMatchObject({
      kind: 'unsupported',
    });
  });

  it("stops a VM that an older host won't remove while it runs", async () => {
    const { vmm, driver } = await pair({ version: '0.5.8' });
    const id = await driver.createVm({ ...spec, stopped: false });
    let stopped = false;
    vmm.on('/prpc/StopVm', (_, response) => {
      stopped = true;
      response.end('null');
    });
    vmm.on('/prpc/RemoveVm', (_, response) =>
      stopped
        ? response.end('null')
        : response.writeHead(400).end('{"error":"Failed to remove VM: VM is running, stop it first"}'),
    );
    await driver.removeVm(id);
    expect(stopped).toBe(true);
  });

  it("sends the flag with a list, so that an empty one clears it, and rejects what can't be cleared", async () => {
    const { vmm, driver } = await pair();
    const id = await driver.createVm(spec);
    await driver.updateVm(id, { ports: [], gateway_urls: [] });
    const sent = vmm.bodies.at(-1);
    expect(sent).toEqual({ id, update_ports: true, ports: [], update_gateway_urls: true, gateway_urls: [] });
    expect(await failure(driver.updateVm(id, { encrypted_env: '' }))).toMatchObject({ kind: 'rejected' });
    const port = { protocol: 'tcp', host_port: 80, vm_port: 80, host_address: '' } as const;
    expect((await failure(driver.updateVm(id, { ports: [port] }))).message).toContain('host_address');
    expect(vmm.bodies.at(-1)).toBe(sent);
  });

  it('queries the version at most once a minute', async () => {
    const { vmm, driver } = await pair();
    await driver.capabilities();
    await driver.capabilities();
    expect(vmm.requests.filter((p) => p.includes('Version'))).toHaveLength(1);
  });
});
