//! Jiu (久棋), the Tibetan game on 14 x 14 points, under the rules of the Aba association.
