//! Go (围棋) on boards from 5 x 5 to 25 x 25 under the Chinese competition rules.
