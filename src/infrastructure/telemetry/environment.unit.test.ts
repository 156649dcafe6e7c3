import { describe, expect, it } from 'vitest'
import { sdkSettings, telemetrySettings } from './environment.ts'

const otelExporterOtlpEndpoint = 'http://localhost:4318'

describe('the settings of telemetry', () => {
  it.each([
    {},
    { OTEL_SERVICE_NAME: 'shop' },
    { OTEL_EXPORTER_OTLP_ENDPOINT: ' ' },
    { OTEL_EXPORTER_OTLP_ENDPOINT: otelExporterOtlpEndpoint, OTEL_SDK_DISABLED: 'TRUE' },
  ])('are none without an address to send to, or where it is off: %o', (environment) => {
    expect(telemetrySettings(environment)).toBeNull()
  })

  it('are all that is of OpenTelemetry and has a value', () => {
    const given = { OTEL_EXPORTER_OTLP_ENDPOINT: otelExporterOtlpEndpoint, OTEL_TRACES_SAMPLER: 'always_off' }
    expect(telemetrySettings({ ...given, PORT: '1', OTEL_SERVICE_NAME: '' })).toEqual(given)
  })

  it('reach the SDK with what the site is called', () => {
    expect(
      sdkSettings({ OTEL_EXPORTER_OTLP_ENDPOINT: otelExporterOtlpEndpoint }, '1.2.3', ['web', 'worker']),
    ).toEqual({
      OTEL_EXPORTER_OTLP_ENDPOINT: otelExporterOtlpEndpoint,
      OTEL_SERVICE_NAME: 'atelier',
      OTEL_NODE_RESOURCE_DETECTORS: 'serviceinstance,host,os,env',
      OTEL_RESOURCE_ATTRIBUTES: 'service.version=1.2.3,atelier.roles=web%2Cworker',
    })
  })

  it('win over what the site says of itself', () => {
    const otelResourceAttributes =
      'deployment.environment.name=prod, service.name=gallery,service.version=9,atelier.roles=all'
    const given = { OTEL_RESOURCE_ATTRIBUTES: otelResourceAttributes, OTEL_NODE_RESOURCE_DETECTORS: 'env' }
    expect(sdkSettings(given, '1.2.3', ['web'])).toEqual(given)
    const named = { OTEL_SERVICE_NAME: 'shop', OTEL_RESOURCE_ATTRIBUTES: 'a=b' }
    expect(sdkSettings(named, '1', ['web'])).toMatchObject({
      OTEL_SERVICE_NAME: 'shop',
      OTEL_RESOURCE_ATTRIBUTES: 'a=b,service.version=1,atelier.roles=web',
    })
  })
})
