import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Of one part of the program, which is quick: most of `test/` starts whole sites and waits for them. */
const isOfOnePart = ({ moduleId }: TestSpecification): number => (moduleId.includes('/src/') ? 1 : 0)

/** Begins with what takes longest, so that nothing long is left when all others have ended: whole sites, large files first. */
export class WholeSitesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // A stable order: what Vitest would do holds within each kind.
    return (await super.sort(files)).toSorted(
      (one, other) =>
        one.project.config.sequence.groupOrder - other.project.config.sequence.groupOrder ||
        isOfOnePart(one) - isOfOnePart(other),
    )
  }
}
