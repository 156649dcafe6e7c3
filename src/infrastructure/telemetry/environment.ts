type Environment = Readonly<Record<string, string | undefined>>

/** Settings of OpenTelemetry as they were given, all of them of its own specification. */
export type TelemetrySettings = Readonly<Record<string, string>>

/** The settings of OpenTelemetry; null unless they name an address to send to, or where they say that it is off. */
export const telemetrySettings = (environment: Environment): TelemetrySettings | null => {
  const given = Object.fromEntries(
    Object.entries(environment).filter(
      (entry): entry is [string, string] => entry[0].startsWith('OTEL_') && (entry[1] ?? '').trim() !== '',
    ),
  )
  const isOff = given['OTEL_SDK_DISABLED']?.trim().toLowerCase() === 'true'
  return given['OTEL_EXPORTER_OTLP_ENDPOINT'] === undefined || isOff ? null : given
}

/**
 * What the SDK is to find in the environment: what was given, and what this site says of itself where nobody said otherwise.
 * Of the process nothing is told (`process` among the detectors): its owner is a person's account.
 * @param roles what this process holds
 */
export const sdkSettings = (
  given: TelemetrySettings,
  version: string,
  roles: readonly string[],
): TelemetrySettings => {
  const attributes = given['OTEL_RESOURCE_ATTRIBUTES'] ?? ''
  const names = new Set(attributes.split(',').map((pair) => pair.split('=')[0]?.trim()))
  return {
    ...(!names.has('service.name') && { OTEL_SERVICE_NAME: 'atelier' }),
    OTEL_NODE_RESOURCE_DETECTORS: 'serviceinstance,host,os,env',
    ...given,
    OTEL_RESOURCE_ATTRIBUTES: [
      ...(attributes === '' ? [] : [attributes]),
      ...(names.has('service.version') ? [] : [`service.version=${version}`]),
      // A comma stands between attributes.
      ...(names.has('atelier.roles') ? [] : [`atelier.roles=${encodeURIComponent(roles.join())}`]),
    ].join(),
  }
}
