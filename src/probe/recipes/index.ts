import { ProbeError } from '../../model/errors.ts'
import type { ProbeClass } from '../../model/fixture.ts'
import { cachingRecipe } from './caching.ts'
import { groundingRecipe } from './grounding.ts'
import type { Recipe } from './recipe.ts'
import { imageRecipe, schemaRecipe } from './structured.ts'

const RECIPES: readonly Recipe[] = [schemaRecipe, imageRecipe, groundingRecipe, cachingRecipe]

/** @throws ProbeError `CLASS_UNSUPPORTED` for a class that cannot be measured yet. */
export function recipeOf(probeClass: ProbeClass): Recipe {
  const recipe = RECIPES.find((candidate) => candidate.probeClass === probeClass)
  if (recipe === undefined) {
    const allowed = RECIPES.map((candidate) => candidate.probeClass).join(', ')
    throw new ProbeError('CLASS_UNSUPPORTED', `fixtures of class ${probeClass} cannot be measured`, { allowed })
  }
  return recipe
}
